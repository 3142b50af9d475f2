package golden;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** Objects are distinguished by identity, and die as they would. */
final class Identities {
    private static int instances;
    private final int value;

    Identities(int value) {
        this.value = value;
        instances++;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Identities && ((Identities) other).value == value;
    }

    @Override
    public int hashCode() {
        return value;
    }

    static void meet(Identities one, Identities other, Identities again) {
        one.touch(other);
        again.touch(null);
    }

    private void touch(Identities other) {
        instances += other == null ? 0 : other.value;
    }

    public static void main(String[] args) throws InterruptedException {
        Identities one = new Identities(1);
        meet(one, new Identities(1), one);
        ReferenceQueue<Object> dead = new ReferenceQueue<>();
        WeakReference<Object> gone = new WeakReference<>(new Identities(2), dead);
        for (int i = 0; i < 100 && gone.get() != null; i++) {
            System.gc();
            dead.remove(100);
        }
        System.out.println(gone.get() == null ? "collected" : "held");
    }
}
