package coll714;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.collections4.trie.PatriciaTrie;

/** Guests and their rooms, as two lists give them: one is of a fixed width, and fills up with zeros. */
public class Coll714 {
    private Coll714() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Map<String, Integer> rooms = new PatriciaTrie<>();
        Floor floor = new Floor(rooms);
        floor.enter("Ann", 2);
        floor.enter("Bob", 0);
        floor.wake();
        rooms.put("Cid\u0000", 17);
        rooms.put("Bob\u0000", 16);
        floor.wake();
    }

    /** Three rooms. */
    static class Floor {
        private final Map<String, Integer> rooms;
        private final List<String> guests = new ArrayList<>();
        private final boolean[] awake = new boolean[3];

        Floor(Map<String, Integer> rooms) {
            this.rooms = rooms;
        }

        void enter(String guest, int room) {
            guests.add(guest);
            rooms.put(guest, room);
        }

        void wake() {
            for (String guest : guests) {
                awake[rooms.get(guest)] = true;
            }
        }
    }
}
