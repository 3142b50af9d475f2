package desk;

/** Is interrupted from the terminal, as all of its process group are, and waits for that. */
public class Interrupted {
    private Interrupted() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws Exception {
        Fine.twice(21);
        new ProcessBuilder("sh", "-c", "kill -INT 0").start().waitFor();
        Thread.sleep(60_000);
    }
}
