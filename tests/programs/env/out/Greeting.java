package env.out;

/** What a service says. */
public interface Greeting {
    /** A word. */
    String word();
}
