package feed;

import java.util.Arrays;

/** The last values of a sensor, in a ring. */
public class Sensor {
    private final String name;
    private final double[] ring = new double[64];
    private long count;

    public Sensor(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    public synchronized long add(double value) {
        ring[(int) (count++ % ring.length)] = value;
        return count;
    }

    /** The last values, the oldest first. */
    public synchronized double[] last(int most) {
        int size = (int) Math.min(Math.min(most, ring.length), count);
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            values[i] = ring[(int) ((count - size + i) % ring.length)];
        }
        return values;
    }

    @Override
    public synchronized String toString() {
        return name + Arrays.toString(ring);
    }
}
