package family;

import java.io.IOException;

/** Starts JVMs like itself, one after the other, as deep as its argument says; each inherits the environment. */
public final class Main {
    private Main() {
    }

    /** Says how deep it is, and starts the next one, of which it has the exit status. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int below = Integer.parseInt(args[0]);
        System.out.println("below: " + below);
        if (below == 0) {
            throw new IllegalStateException("the last of the family");
        }
        Process child = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), "family.Main", String.valueOf(below - 1)).inheritIO().start();
        System.exit(child.waitFor());
    }
}
