package ledgertest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ledger.Entry;
import ledger.Statement;
import org.junit.jupiter.api.Test;

/** A test that does not come as far as its assertions: its own code cannot go on with what it is given. */
public final class OwnCode {
    private final Statement statement = new Statement();

    private OwnCode() {
        statement.book("bob", 3, 1200, "rent");
        statement.book("ann", 12, 0);
    }

    public static void main(String[] args) {
        OwnCode test = new OwnCode();
        switch (args[0]) {
            case "null":
                test.aNote();
                break;
            case "cast":
                test.theSum();
                break;
            case "element":
                test.theSecond();
                break;
            case "get":
                test.theLatest();
                break;
            case "orElseThrow":
                test.theLatestAmount();
                break;
            default:
                test.theCount();
        }
    }

    @Test
    void aNote() {
        String note = statement.notes().get(1);
        assertEquals(0, note.trim().length());
    }

    @Test
    void theSum() {
        Long sum = (Long) statement.figures().get("sum");
        assertEquals(1200L, sum);
    }

    @Test
    void theSecond() {
        assertEquals("ann", statement.credited().get(1));
    }

    @Test
    void theLatest() {
        Entry latest = statement.latest(3).get();
        assertEquals("bob", latest.account());
    }

    @Test
    void theLatestAmount() {
        assertEquals(1200, statement.latest(3).orElseThrow(IllegalStateException::new).cents());
    }

    @Test
    void theCount() {
        assertEquals(2, Integer.parseInt(statement.count()));
    }
}
