package indexed;

/**
 * Some of everything, many times over: objects that are linked and forgotten, arrays that code outside writes into, exceptions, recursion, texts,
 * and a second thread that takes turns with the first. Its argument says how many rounds.
 */
public final class Main {
    static long total;

    private Main() {
    }

    /** Runs the rounds. */
    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        Shelf shelf = new Shelf(64);
        Thread other = new Thread(() -> {
            for (int i = 0; i < rounds / 8; i++) {
                shelf.put(-i);
            }
        }, "other");
        other.start();
        for (int i = 0; i < rounds; i++) {
            shelf.put(i * 31 % 97);
            if (i % 16 == 15) {
                shelf.shift();
            }
            try {
                total += depth(i % 5) + shelf.get(i % 70);
            } catch (IndexOutOfBoundsException e) {
                total--;
            }
        }
        other.join();
        System.out.println("total " + (total != 0));
    }

    private static int depth(int more) {
        return more == 0 ? 1 : 1 + depth(more - 1);
    }
}
