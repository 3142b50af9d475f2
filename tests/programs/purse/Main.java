package purse;

import static org.junit.Assert.assertEquals;

/** Checks what is in a purse; takes no arguments. */
public class Main {
    private Main() {
    }

    /** Runs the program. */
    public static void main(String[] args) {
        Purse purse = new Purse();
        purse.put(new Money(2, "EUR"));
        purse.put(new Money(3, "EUR"));
        assertEquals(new Money(2, "EUR").plus(new Money(3, "EUR")), purse.total());
    }
}
