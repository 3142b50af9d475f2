package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Two of these tests fail, by defects of the library. */
class TableTest {
    @Test
    void hasRows() {
        Table table = new Table().row("name", "value").row("one", "1");
        assertEquals(2, table.toString().lines().count());
    }

    @Test
    void keepsArgumentsOfTheProject() {
        assertEquals("kept", System.getProperty("sample.marker"));
    }

    @Test
    void showsRowsWithoutValue() {
        Table table = new Table().row("name", "value").row("one", "1").row("two", "22");
        assertEquals(4, table.row("three", null).toString().lines().count());
    }

    @Test
    void leavesPartsOut() {
        Table table = new Table().row("one", "1").row("two", "22").row("three", "333");
        assertEquals(1, table.without("\n|").toString().lines().count());
    }
}
