package busy;

/** Passes numbers that nobody can foresee from method to method. Its argument says how many. */
public final class Main {
    private Main() {
    }

    private static long mixed(long value) {
        long mixed = value * 6364136223846793005L + 1442695040888963407L;
        return mixed ^ mixed >>> 29;
    }

    /** Prints what comes out. */
    public static void main(String[] args) {
        long value = 1;
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            value = mixed(value);
        }
        System.out.println(value);
    }
}
