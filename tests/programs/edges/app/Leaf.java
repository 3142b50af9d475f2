package edges.app;

import java.io.Serializable;

/** What is written and read. */
final class Leaf extends Stem implements Serializable {
    private static final long serialVersionUID = 4;
    private final int value;

    Leaf(int value) {
        this.value = value;
    }

    @Override
    public String toString() {
        return "leaf " + value + " is number " + number;
    }
}
