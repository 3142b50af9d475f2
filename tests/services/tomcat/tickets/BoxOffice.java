package tickets;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Books seats of shows. */
public class BoxOffice {
    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, Collection<Booking>> bookings = new ConcurrentHashMap<>();
    private final Program program;
    private final WaitingList waiting;

    public BoxOffice(Program program, WaitingList waiting) {
        this.program = program;
        this.waiting = waiting;
    }

    /** The booking; null if the show is sold out. */
    public Booking book(String show, String customer, int count) {
        Hall hall = program.hall(show);
        if (hall.isFull()) {
            waiting.add(show, customer);
            return null;
        }
        List<String> seats = hall.take(count);
        Booking booking = new Booking(numbers.incrementAndGet(), show, customer, seats);
        bookings.computeIfAbsent(customer, c -> new ConcurrentLinkedQueue<>()).add(booking);
        return booking;
    }

    /** How many seats are free again. */
    public int cancel(String show, String customer) {
        int free = 0;
        for (Booking booking : bookingsOf(customer)) {
            if (booking.show().equals(show) && bookings.get(customer).remove(booking)) {
                program.hall(show).giveBack(booking.seats());
                free += booking.seats().size();
            }
        }
        return free;
    }

    public List<Booking> bookingsOf(String customer) {
        return new ArrayList<>(bookings.getOrDefault(customer, List.of()));
    }
}
