package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** One of these tests fails, by a defect of the library. */
class ColumnTest {
    @Test
    void fillsShortNames() {
        assertEquals("a---", Table.column("a", 4));
    }

    @Test
    void cutsLongNames() {
        assertEquals("foo-", Table.column("foo", 4));
        assertEquals("o", Table.column("foo", 1));
    }
}
