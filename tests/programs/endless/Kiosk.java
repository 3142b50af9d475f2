package endless;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Takes orders, of several threads at a time, and has all it knows in static fields, as what there is one of often has. */
final class Kiosk {
    private static final Logger LOG = Logger.getLogger("endless.kiosk");
    private static final int FIRST = Integer.getInteger("endless.first", 100);
    private static final Kiosk INSTANCE = new Kiosk();
    private static final Map<String, Integer> TARIFFS = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong(FIRST);
    private static final List<String> LAST = new ArrayList<>();
    private static final int REMEMBERED = 10;
    private static final int EACH = 1000;
    private static long taken;

    private Kiosk() {}

    static Kiosk instance() {
        return INSTANCE;
    }

    static void tariff(String name, Integer price) {
        TARIFFS.put(name, price);
    }

    /** What is had for so much. */
    int take(String tariff, String name, int count) {
        long number = NUMBERS.incrementAndGet();
        if (LOG.isLoggable(Level.FINE)) {
            LOG.fine(name + " has number " + number);
        }
        synchronized (LAST) {
            taken++;
            LAST.add(name);
            if (LAST.size() > REMEMBERED) {
                LAST.remove(0);
            }
            if (taken % EACH == 0) {
                System.out.println(taken + " taken, number " + number + " behind " + LAST.get(0));
            }
        }
        return count / TARIFFS.get(tariff);
    }
}
