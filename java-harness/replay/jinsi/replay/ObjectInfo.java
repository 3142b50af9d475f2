package jinsi.replay;

import java.util.List;

/** What the session knows of an object that observed code did not make itself, or may have to be named. */
final class ObjectInfo {
    /** How replay makes an object. Their places are those of {@link Codes}. */
    enum Role {
        /** Instance of an observed class: only its own constructor call makes it. */
        OBSERVED,
        /** Stand-in for an object of the environment. */
        MOCK,
        /** An array. */
        ARRAY,
        /** Object of a natural class, made for real. */
        NATURAL,
        /** Immutable value made from text. */
        TEXT,
        /** A throwable. */
        THROWABLE,
        /** A stand-in whose class is hidden, as that of a lambda. */
        HIDDEN,
        /** Instance of an observed class that no constructor made, with its fields. */
        RESTORED,
        /** A lambda or method reference; its content is what it has captured. */
        FUNCTION,
        /** Whatever one interaction gives and a later one is given, even {@code null}. */
        GIVEN;

        private static final Role[] ALL = values();

        /** The role encoded as {@code code}, or {@code null}. */
        static Role of(int code) {
            return code < ALL.length ? ALL[code] : null;
        }
    }

    /** A recorded throwable, as far as it can be made again. */
    static final class Thrown {
        /** Stored message, or {@code null}. */
        final String message;
        /** The message as a person reads it. */
        final String text;
        /** Identity of the cause, 0 if none. */
        final long cause;
        /** Stack trace, innermost frame first. */
        final List<StackTraceElement> frames;

        Thrown(String message, String text, long cause, List<StackTraceElement> frames) {
            this.message = message;
            this.text = text;
            this.cause = cause;
            this.frames = frames;
        }
    }

    /** What a lambda or method reference is made of. */
    static final class Function {
        /** Internal name of the class whose code made it. */
        final String maker;
        /** Name of the interface's method. */
        final String method;
        /** Descriptor of what makes it: from what it captures to the interface. */
        final String factory;
        /** Descriptor of the interface's method. */
        final String erased;
        /** The same with the types that this function object has. */
        final String instantiated;
        /** Kind of the handle that is called. */
        final int kind;
        /** The method that is called. */
        final Member target;

        Function(String maker, String method, String factory, String erased, String instantiated, int kind,
                Member target) {
            this.maker = maker;
            this.method = method;
            this.factory = factory;
            this.erased = erased;
            this.instantiated = instantiated;
            this.kind = kind;
            this.target = target;
        }
    }

    /** Identity. */
    final long id;
    /** Internal name of the class, or array descriptor. */
    final String className;
    /** Length of an array, else −1. */
    final int length;
    /** How it is made. */
    final Role role;
    /** Content when it first crosses into observed code; text for {@link Role#TEXT}. */
    final Content content;
    /** For {@link Role#THROWABLE}, else {@code null}. */
    final Thrown thrown;
    /** For {@link Role#FUNCTION}, else {@code null}. */
    final Function function;
    /**
     * Whether observed code made the object itself: it is seen going out before it is seen coming in. Such an object,
     * if its content is not known, cannot be made by replay.
     */
    final boolean madeInside;
    /** Internal names of the types that the places where it occurs ask of it. */
    final List<String> types;

    ObjectInfo(long id, String className, int length, Role role, Content content, Thrown thrown,
            boolean madeInside, List<String> types) {
        this(id, className, length, role, content, thrown, null, madeInside, types);
    }

    ObjectInfo(long id, String className, int length, Role role, Content content, Thrown thrown,
            Function function, boolean madeInside, List<String> types) {
        this.id = id;
        this.className = className;
        this.length = length;
        this.role = role;
        this.content = content;
        this.thrown = thrown;
        this.function = function;
        this.madeInside = madeInside;
        this.types = types;
    }

    /** Whether it is a lambda that observed code made: its content is what it has captured. */
    boolean isLambda() {
        return role == Role.NATURAL && content.kind == Content.Kind.ELEMENTS && className.contains("$$Lambda");
    }

    @Override
    public String toString() {
        return "#" + id + " (" + className + ")";
    }
}
