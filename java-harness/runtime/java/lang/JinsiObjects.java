package java.lang;

import static java.lang.JinsiBuffer.WORD;
import static java.lang.JinsiBuffer.buffer;
import static java.lang.JinsiBuffer.insert;
import static java.lang.JinsiBuffer.inserted;
import static java.lang.JinsiIds.CONSTRUCTED;
import static java.lang.JinsiIds.DEFINED;
import static java.lang.JinsiIds.REPORTED;
import static java.lang.JinsiIds.UNSETTLED;
import static java.lang.JinsiRaw.FORM_TEXT;
import static java.lang.JinsiRaw.KIND_CONTENT;
import static java.lang.JinsiRaw.KIND_DEFINE;
import static java.lang.JinsiRaw.TAG_STRING;
import static java.lang.JinsiState.INSIDE;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/** What a trace has to say of an object or a class before an event names it: that it is there, what it is, what its fields hold. */
final class JinsiObjects {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Header of a Define event, which has two words. */
    static final long DEFINE_HEAD = (long) KIND_DEFINE << 32 | 2L << 48;


    private static final long BYTES = JinsiContent.base(byte[].class);

    private JinsiObjects() {}

    /** Initializes the class, which a full stack would not let, and what numbers classes. */
    static void warmUp() {
        CLASS_NUMBERS.get(Object.class);
    }

    /** Identity of an object; its Define event is written when it is first seen. */
    static long identify(Object value) {
        return identify(value, null);
    }

    /** ... and the fields of one that no constructor has reported are recorded: by {@code walk} if there is one, else now. */
    @DontInline
    static long identify(Object value, JinsiFields.Unmade walk) {
        long word = JinsiIds.of(value);
        long id = word >>> JinsiIds.SHIFT;
        if ((word & DEFINED) == 0) {
            if ((word & CONSTRUCTED) != 0 || !JinsiFields.concern(value.getClass()) || value instanceof Enum) {
                define(id, value, DEFINED);
                if (JinsiOutgoing.ON && walk == null) {
                    JinsiOutgoing.defined(value);
                }
            } else if (walk == null) {
                tell(id, value);
            } else if ((word & REPORTED) == 0) {
                meet(id, value, walk);
            }
        } else if ((word & UNSETTLED) != 0) {
            if (walk == null && comesIn()) {
                JinsiIds.unnote(value, UNSETTLED);
                JinsiFields.record(value, true);
            } else if (walk != null && walk.settles) {
                JinsiIds.unnote(value, UNSETTLED);
                walk.add(value);
            }
        }
        return id;
    }

    /** Tells of an object that no constructor has reported, and of all that is reached from its fields. */
    private static void tell(long id, Object value) {
        try {
            JinsiWindow.beginTelling();
            // Another thread may have done so meanwhile.
            if ((JinsiIds.of(value) & (DEFINED | REPORTED)) == 0 && define(id, value, REPORTED)) {
                JinsiFields.record(value, false);
            }
        } finally {
            JinsiWindow.endTelling();
        }
    }

    /** Takes up an object that a walk has come to. */
    private static void meet(long id, Object value, JinsiFields.Unmade walk) {
        boolean old = JinsiIds.isOld(value);
        // Without a buffer it stays undefined, and a walk that took it up would meet it again for ever.
        if (define(id, value, REPORTED)) {
            if (!walk.settles && !old) {
                JinsiIds.note(value, UNSETTLED);
            }
            walk.add(value);
        }
    }

    /** Does the environment run, so that what is named now comes in from there? */
    private static boolean comesIn() {
        long buffer = buffer();
        return buffer != 0 && JinsiState.whose(buffer) != INSIDE;
    }

    /** Writes the Define event, which {@code flag} says of the object then; false if there is no buffer to write it into. */
    @DontInline
    static boolean define(long id, Object value, int flag) {
        long now = JinsiIds.now();
        Class<?> type = value.getClass();
        long classNo = classNo(type);
        long length = type.isArray() ? JinsiContent.length(value) + 1L : 0;
        long at = insert(3 * WORD);
        if (at == 0) {
            return false;
        }
        U.putLong(at, DEFINE_HEAD);
        U.putLong(at + WORD, id);
        U.putLong(at + 2 * WORD, classNo | length << 32);
        inserted(3 * WORD);
        JinsiIds.note(value, flag, now);
        JinsiShape.named(value);
        if (value instanceof Enum) {
            name(id, ((Enum<?>) value).name());
        } else {
            String member = JinsiNames.of(value);
            if (member != null) {
                name(id, member);
            }
        }
        return true;
    }

    /** The content event that names an enum constant, or the member that a reflective object stands for. */
    private static void name(long id, String name) {
        byte[] bytes = name.value();
        long padded = (bytes.length + 7L) & ~7L;
        long at = insert(4 * WORD + padded);
        if (at == 0) {
            return;
        }
        U.putLong(at, (long) KIND_CONTENT << 32 | 3 + (padded >> 3) << 48);
        U.putLong(at + WORD, id);
        U.putLong(at + 2 * WORD, FORM_TEXT | 1L << 16);
        U.putLong(at + 3 * WORD, (long) bytes.length << 4 | (long) name.coder() << 3 | TAG_STRING);
        if (padded != 0) {
            U.putLong(at + 3 * WORD + padded, 0);
            U.copyMemory(bytes, BYTES, null, at + 4 * WORD, bytes.length);
        }
        inserted(4 * WORD + padded);
    }

    @DontInline
    static int classNo(Class<?> type) {
        return CLASS_NUMBERS.get(type);
    }

    private static final ClassValue<Integer> CLASS_NUMBERS = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            StringBuilder interfaces = new StringBuilder();
            for (Class<?> each : type.getInterfaces()) {
                interfaces.append(each.getName()).append(',');
            }
            Class<?> parent = type.getSuperclass();
            boolean jdk = type.getClassLoader() == null;
            // To ask for its methods would initialize the class; types that are none have no methods that could be asked for.
            boolean hashes = jdk && !type.isPrimitive() && !type.isArray() && !type.isInterface()
                && !U.shouldBeInitialized(type);
            return JinsiProbe.class0(hashes ? type : null, type.getName(), parent == null ? null : parent.getName(),
                interfaces.toString(), type.getModifiers() & 0xffff | (jdk ? JinsiNumbers.OF_THE_JDK : 0));
        }
    };

    /** Gives {@code value} its identity now, so that it needs no definition in the middle of an event. */
    static void prepare(Object value, JinsiFields.Unmade unmade) {
        if (needsIdentity(value)) {
            identify(value, unmade);
        }
    }

    /** Is nothing left to be said of {@code value} before an event names it? */
    static boolean isDefined(Object value) {
        return !needsIdentity(value) || (JinsiIds.of(value) & (DEFINED | REPORTED)) != 0;
    }

    private static boolean needsIdentity(Object value) {
        return value != null && !(value instanceof String) && !(value instanceof Class) && !isBox(value.getClass());
    }

    /** Are instances strings or boxes, which have no identity in the trace? */
    static boolean isImmediate(Class<?> type) {
        return type == String.class || isBox(type);
    }

    private static boolean isBox(Class<?> type) {
        return type == Integer.class || type == Long.class || type == Boolean.class || type == Double.class
            || type == Character.class || type == Byte.class || type == Short.class || type == Float.class;
    }
}
