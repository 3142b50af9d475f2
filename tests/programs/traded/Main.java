package traded;

/** As in {@code tariff}, one rate is wrong when it is divided by. Here it was not read at all. */
public class Main {
    private Main() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Tariff.read("EUR", 1, true);
        Tariff.read("USD", 2, false);
        Tariff.read("GBP", 3, true);
        Bill bill = new Bill(1250);
        System.out.println(bill.in("EUR") + " " + bill.in("GBP"));
        System.out.println(bill.in("USD"));
    }
}
