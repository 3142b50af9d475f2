package fields;

import java.lang.reflect.Field;

/** Observed. Its fields are accessed from all sides. */
class Gauge extends Meter {
    static int made;
    static int[] limits;
    int value;
    private int hidden;
    volatile long ticks;
    volatile Object state;

    Gauge(int value) {
        this.value = value;
    }

    void readField(Unit unit) {
        this.value = unit.value;
    }

    void readField(Gauge gauge) {
        this.value = gauge.value;
    }

    void writeField(Unit unit) {
        unit.value = this.value;
    }

    void writeField(Gauge gauge) {
        gauge.value = this.value;
    }

    Unit.Result divide(Unit unit) {
        float quotient = (float) unit.rational.getNumerator() / unit.rational.getDenominator();
        return new Unit.Result(quotient);
    }

    /** Reflection used by observed code: a call out, and inside it the access by the environment. */
    void setBy(Field field, int value) throws IllegalAccessException {
        field.set(this, value);
    }

    int sum() {
        return value + hidden + ((Meter) this).value;
    }

    void check() {
        if (sum() > 1000) {
            throw new IllegalStateException("sum " + sum());
        }
    }

    int limit() {
        return limits[0];
    }

    Object keep(Object handle) {
        return handle;
    }

    /** Not observed: accesses a private member of the class around it without a method in between. */
    final class Hand {
        void turn(int by) {
            hidden += by;
        }
    }
}
