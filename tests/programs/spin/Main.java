package spin;

/** Takes more from a queue than is in it, and so does not end. */
public final class Main {
    private Main() {}

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Queue queue = new Queue();
        queue.put("one");
        queue.put("two");
        System.out.println(queue.drain(1));
        System.out.println(queue.drain(2));
    }
}
