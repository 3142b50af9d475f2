package bank;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What a transfer costs: the first twenty of an account are free. */
public class Fees {
    private static final int FREE = 20;
    private final ConcurrentMap<Long, Integer> transfers = new ConcurrentHashMap<>();

    public long of(long account, long cents) {
        int count = transfers.merge(account, 1, Integer::sum);
        return count <= FREE ? 0 : Math.min(50, cents / 200);
    }
}
