import java.util.ArrayList;
import java.util.List;

/** What constructors may do since Java 25 before they call another. */
public class Constructs25 {
    static final List<String> LOG = new ArrayList<>();

    static class Base {
        Base(int n) {
            LOG.add("base " + n);
            hook();
        }

        void hook() {
            LOG.add("base hook");
        }
    }

    static class Early extends Base {
        final int value;
        final long[] wide;
        String text;

        Early(Object given) {
            int found;
            try {
                found = Integer.parseInt(String.valueOf(given));
            } catch (NumberFormatException e) {
                LOG.add("caught " + e.getMessage());
                found = -1;
            }
            synchronized (LOG) {
                LOG.add("checked " + found);
            }
            value = found;
            wide = new long[] {found, 2L * found};
            if (found == 13) {
                throw new IllegalStateException("unlucky " + given);
            }
            Runnable later = () -> LOG.add("ran before super");
            later.run();
            super(found + 1);
            text = "t" + value + wide[1];
        }

        @Override
        void hook() {
            LOG.add("early hook " + value + wide[0] + text);
        }
    }

    class Inner {
        final int number;

        Inner(int n) {
            for (int i = 0; i < 3; i++) {
                n += i * LOG.size();
            }
            this(new int[] {n, LOG.size()});
        }

        Inner(int[] both) {
            number = both[0] + both[1];
        }
    }

    public static void main(String[] args) {
        LOG.add(new Early(5).text);
        LOG.add(new Early("x").text);
        try {
            new Early("13");
        } catch (IllegalStateException e) {
            LOG.add(e.getMessage());
        }
        LOG.add("" + new Constructs25().new Inner(7).number);
        LOG.forEach(System.out::println);
        new Early(13);
    }
}
