package harm;

/** An object whose text costs something. */
final class Telling {
    private final Canary canary;

    Telling(Canary canary) {
        this.canary = canary;
    }

    @Override
    public String toString() {
        return String.valueOf(Ways.unchecked(canary::perform));
    }
}
