package sample;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import jinsi.replay.Replay;

/** Observed code with one method a situation of replay; bridges as rewriting would put in. */
final class Panel {
    private Gauge gauge;
    private int sum;
    private boolean brief;
    private static final int START;

    static {
        Replay.beginClassInit("sample/Panel");
        try {
            START = (Integer) Replay.call(3, null, new Object[0]);
        } finally {
            Replay.endClassInit();
        }
    }

    Panel() {
        sum = START;
    }

    void setGauge(Gauge gauge) {
        this.gauge = gauge;
    }

    int show() {
        return jinsi$0(gauge);
    }

    void setBrief(boolean brief) {
        this.brief = brief;
    }

    int last() {
        if (!brief) {
            jinsi$0(gauge);
        }
        return jinsi$4(gauge);
    }

    int showTwice() {
        try {
            return jinsi$0(gauge) + jinsi$0(gauge);
        } catch (Throwable e) {
            // Observed code may catch everything, replay's own errors too.
            return -1;
        }
    }

    void ask() {
        jinsi$1(gauge, this);
    }

    void alerted(int value) {
        if (value > 100) {
            throw new IllegalStateException("off the scale");
        }
        sum += value;
    }

    int sum() {
        return sum;
    }

    long hoard() {
        long sum = 0;
        for (int i = 1; i > 0; i++) {
            sum += new long[Integer.MAX_VALUE].length;
        }
        return sum;
    }

    int lookUp(Gauge key) {
        Map<Gauge, Integer> map = new HashMap<>();
        map.put(key, 7);
        return map.get(key);
    }

    int apply(IntUnaryOperator operator) {
        return jinsi$2(operator, 20) + IntUnaryOperator.identity().andThen(operator).applyAsInt(1);
    }

    void spin() {
        while (sum >= 0) {
            Replay.backEdge();
        }
    }

    int deep(int n) {
        return deep(n + 1) + 1;
    }

    private static int jinsi$0(Gauge gauge) {
        return Replay.isMock(gauge) ? (Integer) Replay.call(0, gauge, new Object[0]) : gauge.read();
    }

    private static void jinsi$1(Gauge gauge, Panel panel) {
        if (Replay.isMock(gauge)) {
            Replay.call(1, gauge, new Object[] {panel});
        } else {
            gauge.report(panel);
        }
    }

    private static int jinsi$2(IntUnaryOperator operator, int n) {
        return Replay.isMock(operator) ? (Integer) Replay.call(2, operator, new Object[] {n}) : operator.applyAsInt(n);
    }

    private static int jinsi$4(Gauge gauge) {
        return Replay.isMock(gauge) ? (Integer) Replay.call(4, gauge, new Object[0]) : gauge.read();
    }
}
