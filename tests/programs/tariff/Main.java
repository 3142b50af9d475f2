package tariff;

/** Reads three rates, of which the last interaction divides by the one that is wrong. Needed are that rate, the bill, and the division. */
public class Main {
    private Main() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Tariff.read("EUR=1.00");
        Tariff.read("USD=0.92");
        Tariff.read("GBP=1.17");
        Bill bill = new Bill(1250);
        System.out.println(bill.in("EUR") + " " + bill.in("GBP"));
        System.out.println(bill.in("USD"));
    }
}
