package harbour;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of JUnit 5. Fails for one of two values, and by the system property that the build has set. */
class CraneTest {
    @ParameterizedTest
    @ValueSource(ints = {6, 10})
    void moves(int tons) {
        Crane crane = new Crane(10);
        crane.lift(tons);
        assertEquals(5, crane.moves(20));
    }

    @Test
    void movesWhatIsConfigured() {
        Crane crane = new Crane(10);
        crane.lift(Integer.getInteger("harbour.load", 0));
        assertEquals(2, crane.moves(20));
    }
}
