package harbour;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Fails by itself: nothing of the program is called. */
class BuoyTest {
    @Test
    void isRed() {
        StringBuilder colour = new StringBuilder("green");
        colour.append(" and red");
        assertEquals("red", colour.toString());
    }
}
