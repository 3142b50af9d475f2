package ledger.lib;

import java.util.HashMap;
import java.util.Map;

/** A library's class, which is not observed. It has the defect: a closed account keeps its place. */
public abstract class AbstractLedger implements Named {
    private static int opened;

    private final Auditor auditor;
    private final long[] sums = new long[3];
    private final Map<String, Integer> places = new HashMap<>();
    private int used;

    protected AbstractLedger(Auditor auditor) {
        this.auditor = auditor;
        auditor.note("opened as number " + number(), 0);
    }

    private static synchronized int number() {
        return ++opened;
    }

    protected abstract long fee(long amount);

    public final void post(String account, long amount) {
        int place = places.computeIfAbsent(account, ignored -> used++);
        sums[place] += amount - fee(amount);
        auditor.note(label(account), sums[place]);
    }

    public void close(String account) {
        Integer place = places.remove(account);
        if (place != null) {
            auditor.note("closed " + account, sums[place]);
        }
    }

    public long total() {
        long total = 0;
        for (long sum : sums) {
            total += sum;
        }
        return total;
    }
}
