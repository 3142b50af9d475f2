package beans;

import java.util.List;

/** Observed; filled by a library through reflection. */
class Order {
    private String customer;
    private int count;
    private long number;
    private double price;
    private boolean urgent;
    private Integer rebate;
    private int[] codes;
    private List<String> notes;
    private Order previous;

    double total() {
        return count * price - (rebate == null ? 0 : rebate) + codes.length + notes.size();
    }

    String customer() {
        return customer + (urgent ? "!" : "") + number + (previous == null ? "" : " after " + previous.customer());
    }
}
