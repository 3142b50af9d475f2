package refused;

import refused.core.Till;

/** A class that is observed inherits from one that is not, and is only ever loaded. */
public final class Main {
    private static final Refusal NONE = new Refusal("none");

    private Main() {}

    public static void main(String[] args) {
        System.out.println(NONE.getMessage());
        Till till = new Till();
        till.put(1);
        till.take(1);
        till.put(2);
        till.put(3);
    }
}
