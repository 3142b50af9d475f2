package jinsi.build;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MessageTest {
    @Test
    void placesAreFilledInTurn() {
        assertEquals("the tests of shop are not recorded: no $1", Message.NOT_RECORDED_OF.with("shop", "no $1"));
        assertEquals("[jinsi] skipped (jinsi.skip)", Message.SKIPPED.line());
    }
}
