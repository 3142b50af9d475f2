package golden;

/** The illustration of delta debugging (Burger 2011, Figure 4.1): of four calls on one object, the first and the last one are needed. */
public final class Illustration {
    private boolean made;

    private Illustration() {
        made = true;
    }

    void second() {
        made |= false;
    }

    void third() {
        made &= true;
    }

    void fourth() {
        throw new IllegalStateException("made: " + made);
    }

    /** From outside, so that the four calls are incoming ones. */
    static final class Caller {
        private Caller() {
        }

        public static void main(String[] args) {
            Illustration o = new Illustration();
            o.second();
            o.third();
            o.fourth();
        }
    }
}
