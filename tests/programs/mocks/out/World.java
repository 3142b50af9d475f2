package mocks.out;

import java.util.function.IntUnaryOperator;

/** Not observed: objects of every kind that there is a class for. */
public final class World {
    /** Read and written by others. */
    public static int counter = 40;
    /** Not a constant: made when the class is initialized. */
    public static final String NAME = String.valueOf(new char[] {'w', 'o', 'r', 'l', 'd'});

    private World() {
    }

    /** What all have. */
    public interface Thing {
        /** A number of its own. */
        int number();

        /** What an interface does by itself. */
        default int twice() {
            return 2 * number();
        }
    }

    /** Cannot be inherited from, nor be made without trouble. */
    public static final class Fixed implements Thing {
        private final int number;

        public Fixed(int number) {
            if (number < 0) {
                throw new IllegalArgumentException("negative: " + number);
            }
            this.number = number;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Fixed && ((Fixed) other).number == number;
        }

        @Override
        public int hashCode() {
            return 31 * number;
        }
    }

    /** Has two implementations. */
    public sealed interface Either permits Left, Right {
    }

    /** One of them. */
    public record Left(int value) implements Either {
    }

    /** The other. */
    public record Right(String text, Left left) implements Either {
    }

    /** Constants, one with a class of its own. */
    public enum Color {
        RED,
        GREEN {
            @Override
            public int code() {
                return 7;
            }
        };

        /** What it is printed by. */
        public int code() {
            return ordinal();
        }
    }

    /** Not complete. */
    public abstract static class Partial implements Thing {
        protected int base = 5;

        /** The rest. */
        protected abstract int rest();

        @Override
        public int number() {
            return base + rest();
        }
    }

    private static final class Hidden implements Thing, Comparable<Thing> {
        @Override
        public int number() {
            return 11;
        }

        @Override
        public int compareTo(Thing other) {
            return Integer.compare(number(), other.number());
        }
    }

    /** Of a class without a name. */
    public static Partial partial() {
        return new Partial() {
            @Override
            protected int rest() {
                return 6;
            }
        };
    }

    /** Of a class that only its interfaces tell of. */
    public static Thing hidden() {
        return new Hidden();
    }

    /** A lambda. */
    public static IntUnaryOperator operator(int by) {
        return n -> n * by;
    }

    /** An array of objects, one twice. */
    public static Thing[][] things() {
        Fixed one = new Fixed(1);
        return new Fixed[][] {{one, new Fixed(2)}, {one}};
    }
}
