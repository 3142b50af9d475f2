package jinsi.replay;

import java.util.ArrayList;
import java.util.List;

/** Numbers of the answers that a test has used, in order. */
final class Used {
    private final List<Integer> numbers = new ArrayList<>();
    /** Nobody asks for those of a run that is read a stretch at a time, and there may be very many. */
    private final boolean kept;

    Used(Session session) {
        kept = session.stretches.isEmpty();
    }

    void add(int number) {
        if (kept) {
            numbers.add(number);
        }
    }

    List<Integer> numbers() {
        return numbers;
    }
}
