package restored;

import java.io.Serializable;

/** A thing and its price. */
public class Item implements Serializable {
    private static final long serialVersionUID = 1;
    private final String name;
    private final int price;

    public Item(String name, int price) {
        this.name = name;
        this.price = price;
    }

    public String name() {
        return name;
    }

    public int price() {
        return price;
    }
}
