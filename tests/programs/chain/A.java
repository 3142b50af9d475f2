package chain;

import java.util.ArrayList;
import java.util.List;

/** Not observed. Its methods run on instances of A, B and C. */
class A {
    static int made;
    protected final List<String> log = new ArrayList<>();
    private int steps;

    A(String name) {
        log.add(mark(name));
        made++;
    }

    static String mark(String name) {
        return "<" + name + ">";
    }

    int work(Tool tool, int by) {
        try {
            advance(tool.turn(by));
        } catch (IllegalStateException e) {
            log.add(e.getMessage());
        }
        return steps;
    }

    final A sibling() {
        return new A("sibling");
    }

    int sum(A other) {
        other.advance(1);
        return steps + other.steps;
    }

    private void advance(int by) {
        if (by < 0) {
            throw new IllegalStateException("back");
        }
        steps += by;
    }
}
