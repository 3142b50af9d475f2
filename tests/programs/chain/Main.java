package chain;

/**
 * A ⊃ B ⊃ C, and only B is observed (Burger 2011, Section 7.3): what A's and Named's methods do is recorded on the instance of B, not on the
 * others. With the argument {@code early}, A is loaded and at work in other threads before B is loaded.
 */
class Main {
    private static volatile boolean over;

    public static void main(String[] args) throws InterruptedException {
        Tool tool = new Tool();
        Thread[] others = args.length == 0 ? new Thread[0] : new Thread[] {busy(), busy(), busy()};
        for (A each : new A[] {new A("a"), new B(), new C()}) {
            int result = each.work(tool, 3) + each.work(tool, -1) + each.sum(each.sibling());
            String title = each instanceof Named ? ((Named) each).title(tool) : "none";
            System.out.println(each.getClass().getSimpleName() + " " + result + " " + title + " " + each.log);
        }
        over = true;
        for (Thread other : others) {
            other.join();
        }
    }

    /** A thread that has A work, and has begun to. */
    private static Thread busy() throws InterruptedException {
        Tool tool = new Tool();
        Thread thread = new Thread(() -> {
            while (!over) {
                A a = new A("other");
                for (int i = 0; i < 100; i++) {
                    a.work(tool, i % 7 - 1);
                }
            }
        });
        thread.start();
        Thread.sleep(50);
        return thread;
    }
}
