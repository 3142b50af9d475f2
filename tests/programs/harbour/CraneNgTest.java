package harbour;

import static org.testng.Assert.assertEquals;

import org.testng.annotations.Test;

/** Of TestNG. */
public class CraneNgTest {
    @Test
    public void moves() {
        Crane crane = new Crane(10);
        crane.lift(10);
        assertEquals(crane.moves(20), 5);
    }

    @Test
    public void movesLittle() {
        assertEquals(new Crane(10).moves(20), 2);
    }
}
