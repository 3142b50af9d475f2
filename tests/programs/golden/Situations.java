package golden;

/** Interactions without which a replay of the others is unresolved, each for its own reason. */
public final class Situations {
    private Situations() {
    }

    /** Not observed. */
    static final class Visitor {
        private final int value;

        Visitor(int value) {
            this.value = value;
        }

        int value() {
            return value;
        }

        int next() {
            return 1;
        }

        String name() {
            return "Ann";
        }

        String title() {
            return "Dr. Ann";
        }
    }

    public static void main(String[] args) {
        Desk desk = new Desk();
        desk.greet(new Visitor(1));
        desk.greet(new Visitor(2));
        desk.ask();
        Desk other = new Desk();
        desk.sitBy(other);
        desk.limit(2);
        desk.limit(1);
        desk.askAll();
        desk.formal();
        desk.address();
        desk.name("desk");
        desk.nameLength();
        desk.step(1);
        desk.count(6);
        desk.close();
    }
}
