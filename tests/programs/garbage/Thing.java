package garbage;

import java.lang.ref.WeakReference;

/** An object that is let go. */
class Thing {
    /** The one made last. */
    static WeakReference<Thing> last;

    int number;
    Thing link;

    Thing(int number) {
        last = new WeakReference<>(this);
        if (number < 0) {
            throw new IllegalArgumentException("negative");
        }
        this.number = number;
    }

    void touch(int by) {
        number += by;
    }

    static long sum(Thing thing, long more, Thing none) {
        return thing.number + more + (none == null ? 0 : none.number);
    }
}
