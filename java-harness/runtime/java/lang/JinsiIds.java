package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Identities of objects, given in the order of first sight and never used twice.
 *
 * <p>An object's <em>word</em> is its identity above the number of an epoch, above {@link #EPOCH_SHIFT} bits that say what the trace already
 * knows of it; 0 if nothing is known. The bits count in their epoch alone: of a recording whose beginning is dropped while it goes on,
 * a new one begins whenever all has to be recorded again. Other recordings have the one epoch 0. Instances of rewritten classes carry it in a field that the agent adds, so that it costs a load, and nothing when
 * they die. All others are in a weak table: a striped open-addressing one keyed by identity hash code, whose look-ups take no lock; a
 * new object takes its stripe's lock, and cleared entries go when a stripe is rebuilt. Of value objects, equal ones are one and the same here,
 * as they are for {@code ==} and {@code identityHashCode}.
 */
final class JinsiIds {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Bits of a word below the epoch. */
    static final int EPOCH_SHIFT = 6;
    /** Bits of a word below the identity. */
    static final int SHIFT = EPOCH_SHIFT + 16;
    /** Where a word has its epoch. The same as in the agent. */
    static final long EPOCH = (1L << SHIFT) - (1L << EPOCH_SHIFT);
    /** The Define event is written. */
    static final int DEFINED = 1;
    /**
     * What its fields hold was recorded when another object's fields named it. That may have been in the middle of a
     * deserialization, so it is recorded again when it comes in from outside.
     */
    static final int UNSETTLED = 2;
    /** The throwable is in the table. */
    static final int DESCRIBED = 4;
    /** ... without its frames. */
    static final int BRIEF = 8;
    /** A constructor made it; said only where constructors make no events, by the agent's code in them. */
    static final int CONSTRUCTED = 16;
    /** A thread is telling of it, and of what is reached from it. The Define event is written. */
    static final int REPORTED = 32;

    private static final int STRIPES = 64;
    /** Value objects that a stripe keeps when it is rebuilt. */
    private static final int MOST_VALUES = 1024;
    /** Slots of a new table. */
    private static final int SMALLEST = 64;
    /** Their tables, each replaced as a whole, so readers see a consistent one. */
    private static final Slots[] SLOTS = new Slots[STRIPES];
    /** Their locks. */
    private static final Object[] STRIPE = new Object[STRIPES];
    private static final long WORD = U.objectFieldOffset(Entry.class, "word");
    private static final long NEXT = U.objectFieldOffset(Counter.class, "value");
    private static final Counter COUNTER = new Counter();
    /** Address of the present epoch, where words have it; the agent writes there. */
    private static long epoch = U.allocateMemory(Long.BYTES);

    static {
        U.putLong(epoch, 0);
        for (int i = 0; i < STRIPES; i++) {
            STRIPE[i] = new Object();
            SLOTS[i] = new Slots(SMALLEST);
        }
    }

    private JinsiIds() {}

    private static final class Counter {
        @SuppressWarnings("unused") // read and written through Unsafe
        private long value = 1;
    }

    private static final class Entry extends WeakReference<Object> {
        final int hash;
        /** An object without identity (a value object, JEP 401): nothing can refer to it weakly. Null for all others. */
        final Object value;
        long word;

        private Entry(Object weak, Object value, int hash, long word) {
            super(weak);
            this.hash = hash;
            this.value = value;
            this.word = word;
        }

        static Entry of(Object object, int hash, long word) {
            try {
                return new Entry(object, null, hash, word);
            } catch (RuntimeException withoutIdentity) {
                return new Entry(null, object, hash, word);
            }
        }

        /** The object; null if it is gone. */
        Object object() {
            return value == null ? get() : value;
        }
    }

    /**
     * An open-addressing table. Its slots are numbers, and the entries are in the order in which they came: where they were scattered,
     * the garbage collector would have to look at all of the table each time, and a look-up would pass by entries that are somewhere else in memory.
     */
    private static final class Slots {
        /** An entry's hash code above one more than its place; 0 where there is none, for the JVM gives no object that hash code. */
        final long[] slots;
        /** Half as many as slots. A thread that was stopped may have left a place without entry. */
        final Entry[] entries;
        /** Places of entries that are taken. */
        int used;

        /** {@code size}: a power of two. */
        Slots(int size) {
            slots = new long[size];
            entries = new Entry[size >> 1];
        }

        Entry find(Object object, int hash) {
            int mask = slots.length - 1;
            for (int i = (hash >>> 6) & mask;; i = (i + 1) & mask) {
                long found = slots[i];
                if (found == 0) {
                    return null;
                }
                if (found >>> Integer.SIZE == hash) {
                    // Null if another thread is placing it just now: whoever misses it looks again under the lock.
                    Entry entry = entries[(int) found - 1];
                    if (entry != null && entry.object() == object) {
                        return entry;
                    }
                }
            }
        }

        void place(Entry entry, int at) {
            int mask = slots.length - 1;
            int i = (entry.hash >>> 6) & mask;
            while (slots[i] != 0) {
                i = (i + 1) & mask;
            }
            entries[at] = entry;
            slots[i] = (long) entry.hash << Integer.SIZE | at + 1;
        }
    }


    /** The present epoch is reported at {@code address} from now on. */
    static void init(long address) {
        epoch = address;
    }

    /**
     * The present epoch, where words have it. Who is going to say that the trace knows something of an object asks before the buffer is
     * looked at: behind the beginning of an epoch no buffer of before has room. So nothing that is read later may be read before ({@code handover/}).
     */
    static long now() {
        return U.getLongAcquire(null, epoch);
    }

    /** The word as it counts in the epoch {@code now}. */
    private static long in(long now, long word) {
        return (word & EPOCH) == now ? word : word & -1L << SHIFT;
    }

    /** The word of an object of this class that a constructor has made now; {@code word} is the one before. For rewritten constructors. */
    static long constructed(long word) {
        long now = now();
        return in(now, word) | now | CONSTRUCTED;
    }

    /** Is the object older than the present epoch, so that no constructor and no deserialization is still at work on it? */
    static boolean isOld(Object object) {
        long field = JinsiShape.found(object.getClass());
        long word = field == JinsiShape.NO_FIELD ? entry(object).word : U.getLong(object, field);
        return word != 0 && (word & EPOCH) != now();
    }

    /** The object's identity, which it gets now if it has none. */
    static long id(Object object) {
        return of(object) >>> SHIFT;
    }

    /** The object's word as it counts now, with an identity that it gets now if it has none. */
    @DontInline
    static long of(Object object) {
        long field = JinsiShape.found(object.getClass());
        if (field == JinsiShape.NO_FIELD) {
            return in(now(), entry(object).word);
        }
        long word = U.getLong(object, field);
        if (word >>> SHIFT == 0) {
            long named = next() | word;
            word = U.compareAndSetLong(object, field, word, named) ? named : U.getLongVolatile(object, field);
        }
        return in(now(), word);
    }

    /**
     * The object's word as it counts now, 0 if nothing is known of it. It is read without order: entries are whole when they can be seen, because
     * they have a final field, and one that is not seen yet is found under the lock.
     */
    @DontInline
    static long known(Object object) {
        long field = JinsiShape.known(object.getClass());
        if (field > 0) {
            return in(now(), U.getLong(object, field));
        }
        int hash = System.identityHashCode(object);
        Entry entry = SLOTS[hash & (STRIPES - 1)].find(object, hash);
        return entry == null ? 0 : in(now(), entry.word);
    }

    /** Notes that the trace knows this of the object, which has an identity. */
    static void note(Object object, int flag) {
        change(object, flag, 0, now());
    }

    /** ... since the epoch {@code now}. */
    static void note(Object object, int flag, long now) {
        change(object, flag, 0, now);
    }

    /** Notes that this is no longer so. */
    static void unnote(Object object, int flag) {
        change(object, 0, flag, now());
    }

    /** What was {@link #REPORTED} is reported. */
    static void define(Object object) {
        change(object, DEFINED, REPORTED, now());
    }

    @DontInline
    private static void change(Object object, int set, int clear, long now) {
        long field = JinsiShape.found(object.getClass());
        Object holder = object;
        if (field == JinsiShape.NO_FIELD) {
            holder = entry(object);
            field = WORD;
        }
        long word;
        do {
            word = U.getLongVolatile(holder, field);
        } while (!U.compareAndSetLong(holder, field, word, (in(now, word) | now | set) & ~(long) clear));
    }

    /** The word of an object that gets its identity now. */
    static long next() {
        return U.getAndAddLong(COUNTER, NEXT, 1) << SHIFT;
    }

    private static Entry entry(Object object) {
        int hash = System.identityHashCode(object);
        Entry found = SLOTS[hash & (STRIPES - 1)].find(object, hash);
        return found != null ? found : add(hash & (STRIPES - 1), object, hash);
    }

    private static Entry add(int number, Object object, int hash) {
        synchronized (STRIPE[number]) {
            Entry found = SLOTS[number].find(object, hash);
            if (found != null) {
                return found;
            }
            if (SLOTS[number].used == SLOTS[number].entries.length) {
                rebuild(number);
            }
            Entry entry = Entry.of(object, hash, next());
            Slots slots = SLOTS[number];
            slots.place(entry, slots.used++);
            return entry;
        }
    }

    /**
     * Leaves out what was cleared, and of many value objects the later ones: one that is seen again gets another identity, which is as good, because its
     * content is all that it is. Where objects die young nothing is cleared until the next
     * collection, and then all at once: so a table shrinks by half at most, or it would grow again step by step each time.
     */
    private static void rebuild(int number) {
        Entry[] old = SLOTS[number].entries;
        Entry[] live = new Entry[old.length];
        int left = 0;
        int values = 0;
        for (Entry entry : old) {
            if (entry == null || entry.object() == null || entry.value != null && ++values > MOST_VALUES) {
                continue;
            }
            live[left++] = entry;
        }
        int size = Math.max(SMALLEST, old.length);
        while (size < left * 4 + 2) {
            size <<= 1;
        }
        Slots slots = new Slots(size);
        for (int i = 0; i < left; i++) {
            slots.place(live[i], i);
        }
        slots.used = left;
        // With the count of its entries, so that there is never the one without the other.
        SLOTS[number] = slots;
    }
}
