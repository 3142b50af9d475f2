package in;

import java.util.Comparator;
import java.util.function.Function;

public class Reader {
    public void each(Function<String, Integer> function) {
    }

    public void sorted(Comparator<String> order) {
    }

    public int read(Source source) {
        return 0;
    }

    public void fail() {
    }

    public static Integer half(String text) {
        return 0;
    }
}
