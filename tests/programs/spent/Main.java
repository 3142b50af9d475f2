package spent;

/**
 * Passes numbers that nobody can foresee from method to method, rests, does so again, and fails. Its arguments say how many numbers, and
 * for how many milliseconds it rests.
 */
public final class Main {
    private long value = 1;

    private Main() {
    }

    private void mix() {
        long mixed = value * 6364136223846793005L + 1442695040888963407L;
        value = turned(mixed);
    }

    private static long turned(long value) {
        return value ^ value >>> 29;
    }

    private void mixOften(int times) {
        for (int i = 0; i < times; i++) {
            mix();
        }
    }

    /** Prints what comes out, and what reflection sees of the class. */
    public static void main(String[] args) throws InterruptedException {
        int times = Integer.parseInt(args[0]);
        Main main = new Main();
        main.mixOften(times);
        Thread.sleep(Long.parseLong(args[1]));
        main.mixOften(times);
        Main other = new Main();
        other.mixOften(10);
        System.out.println(main.value + " " + other.value + " " + Main.class.getDeclaredFields().length
                + " " + Main.class.getDeclaredMethods().length);
        throw new IllegalStateException("spent");
    }
}
