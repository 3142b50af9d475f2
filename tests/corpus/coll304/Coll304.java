package coll304;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.collections.list.SetUniqueList;

/** Serves guests who take, and give up, seats at a table. */
public class Coll304 {
    private Coll304() {
    }

    /** Runs the program; takes no arguments. */
    @SuppressWarnings("unchecked")
    public static void main(String[] args) {
        List<Object> seats = SetUniqueList.decorate(new ArrayList<>());
        Waiter waiter = new Waiter(seats);
        seats.add("Ann");
        seats.add("Bob");
        seats.add("Cid");
        waiter.serve("Bob");
        seats.set(1, "Dan");
        waiter.serve("Cid");
        waiter.serve("Bob");
    }

    /** Counts the dishes at each seat. */
    static class Waiter {
        private final List<Object> seats;
        private final int[] dishes = new int[4];

        Waiter(List<Object> seats) {
            this.seats = seats;
        }

        /** Who has no seat gets nothing. */
        void serve(String guest) {
            if (seats.contains(guest)) {
                dishes[seats.indexOf(guest)]++;
            }
        }
    }
}
