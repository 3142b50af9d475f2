package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;

/**
 * Identities of objects: by identity, weak, given in the order of first sight and never used twice.
 *
 * <p>A striped open-addressing table of weak references keyed by identity hash code. Look-ups take no lock; a new object takes its
 * stripe's lock. Cleared entries go when a stripe is rebuilt.
 */
final class JinsiIds {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int STRIPES = 64;
    /** Their tables, each a power of two long and replaced as a whole, so readers see one consistent array. */
    private static final Entry[][] SLOTS = new Entry[STRIPES][64];
    /** Their locks. */
    private static final Stripe[] STRIPE = new Stripe[STRIPES];
    private static final long NEXT = U.objectFieldOffset(Counter.class, "value");
    private static final Counter COUNTER = new Counter();

    static {
        for (int i = 0; i < STRIPES; i++) {
            STRIPE[i] = new Stripe();
        }
    }

    private JinsiIds() {}

    private static final class Counter {
        @SuppressWarnings("unused") // read and written through Unsafe
        private long value = 1;
    }

    /** An object's identity and what the trace already says of it. */
    static final class Entry extends WeakReference<Object> {
        final int hash;
        final long id;
        /** The Define event is written. */
        boolean defined;
        /**
         * What its fields hold was recorded when another object's fields named it. That may have been in the middle of a
         * deserialization, so it is recorded again when it comes in from outside.
         */
        boolean unsettled;
        /** The throwable is in the table. */
        boolean described;
        /** ... without its frames. */
        boolean brief;

        Entry(Object object, int hash, long id) {
            super(object);
            this.hash = hash;
            this.id = id;
        }
    }

    private static final class Stripe {
        /** Slots that are not empty. */
        int used;
    }

    static Entry of(Object object) {
        int hash = System.identityHashCode(object);
        Entry found = find(SLOTS[hash & (STRIPES - 1)], object, hash);
        return found != null ? found : add(hash & (STRIPES - 1), object, hash);
    }

    /**
     * What is known of an object, {@code null} if nothing. It is read without order: entries are whole when they can be seen, because
     * they have final fields, and one that is not seen yet is found under the lock.
     */
    static Entry known(Object object) {
        int hash = System.identityHashCode(object);
        return find(SLOTS[hash & (STRIPES - 1)], object, hash);
    }

    private static Entry find(Entry[] slots, Object object, int hash) {
        int mask = slots.length - 1;
        for (int i = (hash >>> 6) & mask;; i = (i + 1) & mask) {
            Entry entry = slots[i];
            if (entry == null) {
                return null;
            }
            if (entry.hash == hash && entry.get() == object) {
                return entry;
            }
        }
    }

    private static Entry add(int number, Object object, int hash) {
        Stripe stripe = STRIPE[number];
        synchronized (stripe) {
            Entry found = find(SLOTS[number], object, hash);
            if (found != null) {
                return found;
            }
            if (stripe.used * 4 >= SLOTS[number].length * 3) {
                stripe.used = rebuild(number);
            }
            Entry entry = new Entry(object, hash, U.getAndAddLong(COUNTER, NEXT, 1));
            place(SLOTS[number], entry);
            stripe.used++;
            return entry;
        }
    }

    private static void place(Entry[] slots, Entry entry) {
        int mask = slots.length - 1;
        int i = (entry.hash >>> 6) & mask;
        while (slots[i] != null) {
            i = (i + 1) & mask;
        }
        slots[i] = entry;
    }

    /** Leaves out what was cleared; how many are left. */
    private static int rebuild(int number) {
        Entry[] old = SLOTS[number];
        int live = 0;
        for (Entry entry : old) {
            if (entry != null && entry.get() != null) {
                live++;
            }
        }
        int size = 64;
        while (size < live * 2 + 2) {
            size <<= 1;
        }
        Entry[] slots = new Entry[size];
        int used = 0;
        for (Entry entry : old) {
            if (entry != null && entry.get() != null) {
                place(slots, entry);
                used++;
            }
        }
        SLOTS[number] = slots;
        return used;
    }
}
