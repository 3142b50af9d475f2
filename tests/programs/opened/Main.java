package opened;

/** Fails only in a JVM with {@code --add-opens=java.base/java.util.concurrent=ALL-UNNAMED}. Needed: the second gauge, and asking it. */
public class Main {
    private Main() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Gauge wide = new Gauge(3);
        wide.put("a");
        System.out.println(wide.room());
        Gauge narrow = new Gauge(1);
        narrow.put("b");
        System.out.println(narrow.room());
    }
}
