package asked.app;

/** Bills two customers, of whom the second has no name. */
public class Main {
    private Main() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Bill bill = new Bill();
        System.out.println(bill.due("known", 2));
        System.out.println(bill.due("new", 3));
    }
}
