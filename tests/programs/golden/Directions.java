package golden;

/** Who calls whom: itself, another observed object, the environment, and the environment back. */
final class Directions {
    private final Partner partner;
    private int calls;

    Directions(Partner partner) {
        this.partner = partner;
    }

    /** Twice itself, once the partner, who calls back. */
    int work() {
        return self() + this.self() + partner.help(this);
    }

    private int self() {
        return ++calls;
    }

    int answer() {
        return calls;
    }

    public static void main(String[] args) {
        int result = new Directions(new Partner()).work();
        throw new IllegalStateException("result " + result);
    }

    static final class Partner {
        int help(Directions caller) {
            return caller.answer() * 10 + Thread.activeCount() * 0;
        }
    }
}
