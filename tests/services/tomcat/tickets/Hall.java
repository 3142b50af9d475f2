package tickets;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The free seats of a show, the best ones first. */
public class Hall {
    private final Lock lock = new ReentrantLock();
    private final List<String> free = new ArrayList<>();

    public Hall(int rows, int seatsInRow) {
        for (int row = 0; row < rows; row++) {
            for (int seat = 1; seat <= seatsInRow; seat++) {
                free.add((char) ('A' + row) + "" + seat);
            }
        }
    }

    public boolean isFull() {
        lock.lock();
        try {
            return free.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the best seats that are free. */
    public List<String> take(int count) {
        lock.lock();
        try {
            List<String> best = free.subList(0, count);
            List<String> taken = new ArrayList<>(best);
            best.clear();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    public void giveBack(List<String> seats) {
        lock.lock();
        try {
            free.addAll(seats);
        } finally {
            lock.unlock();
        }
    }
}
