package parcels;

import java.util.ArrayList;
import java.util.List;

/** The towns that a van comes to, in their order. */
public final class Route {
    private final List<String> towns = new ArrayList<>();

    /** Adds a town at the end. */
    public Route to(String town) {
        towns.add(town);
        return this;
    }

    /** The town after this one; behind the last one, the first. */
    public String after(String town) {
        return towns.get((towns.indexOf(town) + 1) % towns.size());
    }
}
