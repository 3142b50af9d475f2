package vending;

import java.util.HashMap;
import java.util.Map;

/** The products in a machine: how many there are in each slot. */
public class Rack {
    private final Map<String, Integer> stock = new HashMap<>();

    /** Makes an empty rack. */
    public Rack() {
    }

    /** Puts a number of products into a slot. */
    public void fill(String slot, int number) {
        stock.merge(slot, number, Integer::sum);
    }

    /** Whether there is a product in the slot. */
    public boolean holds(String slot) {
        return stock.getOrDefault(slot, 0) > 0;
    }

    /** Drops one product out of a slot that holds one. */
    public void drop(String slot) {
        stock.merge(slot, -1, Integer::sum);
    }
}
