package golden;

import java.util.ArrayList;
import java.util.List;

/** Burger 2011, Listing 8.8, with a list in the array's place. */
class Numbers {
    private List<Integer> values;
    private int index;

    void setValues(List<Integer> given) {
        values = given;
    }

    void init(int a, int b) {
        values = new ArrayList<>();
        values.add(a);
        values.add(b);
    }

    void transform() {
        for (int i = 0; i < values.size(); i++) {
            values.set(i, values.get(i) + 1);
        }
    }

    int addValue(int b) {
        if (index < values.size()) {
            values.set(index, b);
            index++;
        }
        return index;
    }

    void readValues(Truth.Feed feed) {
        feed.fill(values);
    }

    /** Fails with what the list holds. */
    void show() {
        throw new IllegalStateException(values.toString());
    }
}
