package sample;

import java.util.ArrayList;
import java.util.List;

/** Has all it knows in static fields. */
public final class Shared {
    private static final List<Integer> LIST = new ArrayList<>();
    private static int count;

    /** Tells what they hold. */
    public void check() {
        throw new IllegalStateException(count + " " + LIST);
    }
}
