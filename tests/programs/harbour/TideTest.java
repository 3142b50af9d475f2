package harbour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

/** One test asks the clock so often that the recording of both is long; the other one fails. */
class TideTest {
    @Test
    void isWatchedFromTheBeginning() {
        Tide tide = new Tide();
        boolean before = false;
        for (int i = 0; i < 600_000; i++) {
            before |= tide.watchedFor() < 0;
        }
        assertFalse(before);
    }

    @Test
    void turns() {
        Tide tide = new Tide();
        assertEquals(745, tide.turnsAfter(600));
    }
}
