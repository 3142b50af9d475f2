package jinsi.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
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
    private final Map<Integer, Interaction> known = new HashMap<>();

    /** @param withEffects indices of those before which something changed outside, ascending */
    InteractionTable(SessionReader reader, int[] numbers, int[] places, int[] withEffects) {
        this.reader = reader;
        this.numbers = numbers;
        this.places = places;
        this.withEffects = withEffects;
    }

    /** How many there are. */
    int size() {
        return numbers.length;
    }

    /** The one at {@code index}. */
    synchronized Interaction get(int index) {
        Interaction interaction = known.get(index);
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

    /** Number of the one at {@code index}. */
    int number(int index) {
        return numbers[index];
    }

    /** Index of the one with this number, negative if there is none. Numbers ascend. */
    int indexOf(int number) {
        return Arrays.binarySearch(numbers, number);
    }

    /** Indices of those before which something changed outside, ascending. */
    int[] withEffects() {
        return withEffects;
    }
}
