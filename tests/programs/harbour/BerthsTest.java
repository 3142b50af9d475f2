package harbour;

import org.junit.jupiter.api.Test;

/** Whichever test comes second fails. */
class BerthsTest {
    @Test
    void moorsTheFerry() {
        Berths.moor("ferry");
    }

    @Test
    void moorsTheTug() {
        Berths.moor("tug");
    }
}
