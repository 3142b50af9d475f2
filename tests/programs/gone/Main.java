package gone;

/** Does without a class that is not there. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        int price = price();
        System.out.println(price);
        System.out.println(12 / (price - 7));
    }

    private static int price() {
        try {
            return new Extra().price();
        } catch (LinkageError absent) {
            return 7;
        }
    }
}
