package shop;

import org.apache.commons.lang.StringUtils;

/** What was sold, as the customer reads it. */
final class Receipt {
    private static final int WIDTH = 24;

    private final StringBuilder rows = new StringBuilder();
    private final String customer;
    private double total;
    private long number;
    private double spent;

    Receipt(String customer) {
        this.customer = customer;
    }

    void add(Order.Line line, double price) {
        double amount = line.quantity * price;
        total += amount;
        rows.append("<tr><td>").append(StringUtils.rightPad(escaped(line.article), WIDTH, '.'))
            .append("</td><td>").append(line.quantity).append("</td><td>").append(amount).append("</td></tr>\n");
    }

    void number(long value, double spentByNow) {
        number = value;
        spent = spentByNow;
    }

    private static String escaped(String text) {
        return StringUtils.replace(StringUtils.replace(text, "&", "&amp;"), "<", "&lt;");
    }

    double total() {
        return total;
    }

    String asHtml() {
        return "<html><body><h1>Receipt " + number + " for " + escaped(customer) + "</h1><table>\n"
            + rows + "</table><p>Total " + total + ", by now " + spent + "</p></body></html>\n";
    }
}
