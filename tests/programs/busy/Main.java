package busy;

/**
 * Passes numbers that nobody can foresee from method to method, and now and then an exception of its own, which it makes in recorded code.
 * Its argument says how many.
 */
public final class Main {
    private Main() {
    }

    private static long mixed(long value) {
        long mixed = value * 6364136223846793005L + 1442695040888963407L;
        return mixed ^ mixed >>> 29;
    }

    private static void refuse(long value) throws Refused {
        throw new Refused(value);
    }

    /** Prints what comes out. */
    public static void main(String[] args) {
        long value = 1;
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            value = mixed(value);
            if (i % 10_000 == 9_999) {
                try {
                    refuse(value);
                } catch (Refused e) {
                    value += e.value;
                }
            }
        }
        System.out.println(value);
    }

    /** A number was not liked. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        final long value;

        Refused(long value) {
            this.value = value;
        }
    }
}
