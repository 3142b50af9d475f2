package omitted;

/** A limit is only set if there is room. Nobody sets it, so nothing is ever over it. */
class Unset {
    private Unset next;
    private int limit;

    public static void main(String[] args) {
        Unset given = new Unset();
        given.prepare(0);
        System.out.println(given.check(7));
    }

    void prepare(int room) {
        if (room > 0) {
            set(room);
        }
        next = this;
    }

    void set(int room) {
        limit = room;
    }

    String check(int size) {
        Unset used = next;
        if (used.limit != 0 && size > used.limit) {
            return report(size);
        }
        return "fine";
    }

    static String report(int size) {
        return "too large: " + size;
    }
}
