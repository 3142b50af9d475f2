package fields;

import java.lang.reflect.Field;

/**
 * Not observed: brings the gauge into a state in which it fails, by fields alone. Of the accesses three are needed: the two writes of
 * large values, one of them by reflection, and none of the reads.
 */
final class Crash {
    private Crash() {}

    public static void main(String[] arguments) throws Exception {
        Gauge gauge = new Gauge(0);
        Field hidden = Meter.class.getDeclaredField("value");
        int seen = 0;
        for (int i = 0; i < 20; i++) {
            gauge.value = i;
            hidden.setInt(gauge, 2 * i);
            seen += gauge.value + hidden.getInt(gauge);
            gauge.check();
        }
        gauge.value = 600;
        seen += gauge.value;
        hidden.setInt(gauge, 500);
        seen += hidden.getInt(gauge);
        System.out.println(seen);
        gauge.check();
    }
}
