package harm;

/** A class that does it when it is used first. */
final class Initialized {
    static final Object RESULT = Ways.unchecked(Ways.pending::act);

    private Initialized() {}
}
