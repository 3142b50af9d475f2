package desk;

/** Does what it should; ends with the status that it is given, if any. */
public class Fine {
    private Fine() {
    }

    /** Runs the program. */
    public static void main(String[] args) {
        System.out.println(twice(21));
        if (args.length > 0) {
            System.exit(Integer.parseInt(args[0]));
        }
    }

    /** Two times {@code number}. */
    public static int twice(int number) {
        return 2 * number;
    }
}
