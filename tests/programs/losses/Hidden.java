package losses;

/** Defined as a hidden class. */
public final class Hidden implements Runnable {
    @Override
    public void run() {
        System.out.println("hidden");
    }
}
