package kernels;

/**
 * Runs one kernel: its name, and the size of its problem. The sizes of Wang 2007 are in {@code cargo xtask bench trace}.
 * Every kernel checks its own result; a wrong one ends the program by an exception.
 */
public final class Main {

    private Main() {
    }

    public static void main(String[] args) {
        int size = Integer.parseInt(args[1]);
        long before = System.nanoTime();
        switch (args[0]) {
            case "crypt":
                Crypt.run(size);
                break;
            case "sor":
                Sor.run(size);
                break;
            case "fft":
                Fft.run(size);
                break;
            case "heapsort":
                HeapSort.run(size);
                break;
            case "lufact":
                LuFact.run(size);
                break;
            case "series":
                Series.run(size);
                break;
            case "trees":
                Trees.run(size);
                break;
            case "words":
                Words.run(size);
                break;
            default:
                throw new IllegalArgumentException("no kernel " + args[0]);
        }
        System.out.println("work-ns " + (System.nanoTime() - before));
        System.out.println(args[0] + " " + size + " done");
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
