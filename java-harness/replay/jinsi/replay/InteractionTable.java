package jinsi.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The driven interactions of a session, in order; decoded when they are asked for. */
final class InteractionTable {
    /** How many are kept in decoded form. */
    private static final int MAX_KNOWN = 1 << 14;

    private final SessionReader reader;
    private final int[] numbers;
    private final int[] places;
    private final int[] withEffects;
    /** Threads of the interactions; {@code null} if there is but one. */
    private final int[] threads;
    private final Map<Integer, Interaction> known = new HashMap<>();
    private final Map<Integer, Interaction> changed = new HashMap<>();

    /**
     * @param withEffects indices of those before which something changed outside, ascending
     * @param threads their threads, {@code null} if there is but one
     */
    InteractionTable(SessionReader reader, int[] numbers, int[] places, int[] withEffects, int[] threads) {
        this.reader = reader;
        this.numbers = numbers;
        this.places = places;
        this.withEffects = withEffects;
        this.threads = threads;
    }

    /** How many there are. */
    int size() {
        return numbers.length;
    }

    /** The one at {@code index}. */
    synchronized Interaction get(int index) {
        Interaction interaction = changed.isEmpty() ? null : changed.get(index);
        if (interaction == null) {
            interaction = known.get(index);
        }
        if (interaction == null) {
            interaction = read(index);
            if (known.size() < MAX_KNOWN) {
                known.put(index, interaction);
            }
        }
        return interaction;
    }

    /** The one at {@code index}, for once. */
    Interaction read(int index) {
        try {
            return reader.interactionAt(places[index]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What changed outside before the one at {@code index}. */
    List<Effect> before(int index) {
        synchronized (this) {
            Interaction interaction = known.get(index);
            if (interaction != null) {
                return interaction.before;
            }
        }
        try {
            return reader.effectsAt(places[index]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on the argument of the interaction with this number is {@code value}. */
    synchronized void change(int number, int argument, Value value) throws SessionFormatException {
        int index = indexOf(number);
        Interaction i = index < 0 ? null : get(index);
        if (i == null || argument < 0 || argument >= i.args.size()) {
            throw new SessionFormatException("the session has no argument " + argument + " of interaction " + number);
        }
        List<Value> args = new ArrayList<>(i.args);
        args.set(argument, value);
        changed.put(index, new Interaction(i.no, i.turn, i.op, i.member, i.targetClass, i.receiver, args, i.outcome, i.before,
                i.outgoing));
    }

    /** Everything is as it was read. */
    synchronized void restore() {
        changed.clear();
    }

    /** Number of the one at {@code index}. */
    int number(int index) {
        return numbers[index];
    }

    /** Index of the one with this number, negative if there is none. Numbers ascend. */
    int indexOf(int number) {
        return Arrays.binarySearch(numbers, number);
    }

    /** Whether there are several threads. */
    boolean isThreaded() {
        return threads != null;
    }

    /** Thread of the one at {@code index}. */
    int thread(int index) {
        return threads == null ? 0 : threads[index];
    }

    /** Indices of those before which something changed outside, ascending. */
    int[] withEffects() {
        return withEffects;
    }
}
