import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** One of everything that an operator applies to. */
public class Sample {
    private final List<String> said = new ArrayList<>();
    private long total;

    public boolean isBetween(int low, int value, int high) {
        return low <= value && value < high;
    }

    public int sum(int[] values) {
        int sum = 0;
        for (int i = 0; i < values.length; i++) {
            if (values[i] > 0) {
                sum += values[i] * 2 - 1;
            } else {
                sum -= -values[i];
            }
        }
        return sum;
    }

    public String named(Object object, String otherwise) {
        if (object == null) {
            return otherwise;
        }
        return object == this ? "this" : object.toString();
    }

    public long add(long more, double share) {
        total += more * 3L;
        total = total >>> 1 ^ more & 255;
        said.clear();
        store(more, share, (int) total);
        return total % 7;
    }

    private static void store(long one, double two, int three) {
        if (two >= 0.5 && one != three) {
            System.setProperty("sample", String.valueOf(1234567));
        }
    }

    public float half(float value) {
        return value / 2f;
    }

    public double quarter(double value) {
        return -value * 0.25 + 1;
    }

    public Sample twice() {
        return new Sample(said.size() < 3 ? 1 : 300);
    }

    public Sample(int more) {
        this.total = more > 0 ? more : 0;
    }

    public int later(int value) {
        IntSupplier supplier = () -> value + 1;
        try {
            return supplier.getAsInt();
        } catch (IllegalStateException e) {
            return -1;
        } finally {
            said.clear();
        }
    }

    public int many(int value) {
        switch (value) {
            case 1:
                value -= 1000;
                break;
            case 2:
                value += 10;
                break;
            default:
                value--;
        }
        return value;
    }
}
