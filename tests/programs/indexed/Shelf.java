package indexed;

/** Keeps numbers, and a chain of what was put last. */
class Shelf {
    private final int[] slots;
    private Link last;
    private int next;

    Shelf(int size) {
        slots = new int[size];
    }

    synchronized void put(int value) {
        slots[next] = value;
        next = (next + 1) % slots.length;
        last = new Link(value, last);
        if (last.length > 9) {
            last = null;
        }
    }

    synchronized void shift() {
        System.arraycopy(slots, 0, slots, 1, slots.length - 1);
    }

    synchronized int get(int index) {
        return slots[index];
    }

    private static final class Link {
        private final int value;
        private final Link before;
        private final int length;

        Link(int value, Link before) {
            this.value = value;
            this.before = before;
            length = before == null ? 1 : before.length + 1;
        }
    }
}
