package worker;

/** Three interactions with an observed thread that is never started, of which the last needs the second. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Worker worker = new Worker();
        System.out.println("copied: " + worker.copy());
        worker.add(7);
        worker.check(7);
    }
}
