package victim.work;

/** Something that takes steps. */
public interface Task {
    /** Takes a step; {@code text} is {@code "step "} and the number. */
    long step(long number, String text, int[] numbers) throws Odd;
}
