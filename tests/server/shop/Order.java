package shop;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.lang.StringUtils;
import org.apache.commons.lang.math.NumberUtils;

/** What a customer wants. */
final class Order {
    /** One thing of it. */
    static final class Line {
        final String article;
        final double quantity;

        Line(String article, double quantity) {
            this.article = article;
            this.quantity = quantity;
        }
    }

    final String customer;
    final List<Line> lines = new ArrayList<>();

    private Order(String customer) {
        this.customer = customer;
    }

    /** Reads {@code article:quantity} for each line, separated by commas. Quantities are numbers as programs have them. */
    static Order parse(String customer, String text) {
        Order order = new Order(StringUtils.capitalise(customer));
        for (String line : StringUtils.split(text, ',')) {
            String article = StringUtils.substringBefore(line, ":");
            Number quantity = NumberUtils.createNumber(StringUtils.substringAfter(line, ":"));
            order.lines.add(new Line(article, quantity.doubleValue()));
        }
        return order;
    }
}
