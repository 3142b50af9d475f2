package restored;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/**
 * An order that was stored and read again, by code that is not observed, and then fails. With {@code restored.Order} and {@code
 * restored.Item} observed, no recorded constructor makes the order that fails: one call is needed, on an object that replay makes
 * from its recorded fields.
 */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) throws Exception {
        Order order = new Order("A-1", 2);
        order.add(new Item("tea", 250));
        order.add(new Item("milk", 120));
        System.out.println(order.total());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(order);
        }
        Order stored;
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            stored = (Order) in.readObject();
        }
        System.out.println(stored.copies());
        System.out.println(stored.doubled());
        System.out.println(stored.total());
    }
}
