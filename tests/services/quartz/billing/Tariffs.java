package billing;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** What a minute costs a customer. */
public class Tariffs {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, Integer> special = new HashMap<>();

    public int centsPerMinute(String customer) {
        lock.readLock().lock();
        try {
            return special.getOrDefault(customer, 9);
        } finally {
            lock.readLock().unlock();
        }
    }

    public void grant(String customer, int cents) {
        lock.writeLock().lock();
        try {
            special.put(customer, cents);
        } finally {
            lock.writeLock().unlock();
        }
    }
}
