package omitted;

import java.util.ArrayList;
import java.util.List;
import java.util.Vector;

/** Names are left out by patterns. The only pattern does not apply, so the pattern is not taken over, and every name is let through. */
class Filters {
    private final Vector<String> patterns = new Vector<>();
    private final Vector<String> others = new Vector<>();

    public static void main(String[] args) {
        Filters given = new Filters();
        given.put("readme", false);
        Filters taken = new Filters();
        taken.append(given);
        List<String> leftOut = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            if (taken.leavesOut(name)) {
                leftOut.add(name);
            }
        }
        System.out.println(leftOut);
    }

    void put(String pattern, boolean applies) {
        if (applies) {
            add(patterns, pattern);
        }
    }

    void append(Filters other) {
        for (int i = 0; i < other.patterns.size(); i++) {
            add(patterns, other.patterns.get(i));
        }
        if (!other.others.isEmpty()) {
            add(others, other.others.get(0));
        }
    }

    static void add(Vector<String> list, String pattern) {
        list.addElement(pattern);
    }

    boolean leavesOut(String name) {
        if (patterns.size() == 0) {
            return false;
        }
        return patterns.contains(name);
    }
}
