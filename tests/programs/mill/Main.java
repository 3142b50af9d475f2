package mill;

/** Forty loads and their emptying, 42 interactions with the mill: the constructor, two loads and the emptying are needed. */
public class Main {
    private Main() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Mill mill = new Mill();
        for (int grain = 0; grain < 40; grain++) {
            mill.load(grain);
        }
        System.out.println(mill.empty());
    }
}
