package harbour;

import static org.testng.Assert.assertEquals;

import org.testng.annotations.Test;

/** Of TestNG. */
public class CraneNgTest {
    @Test
    public void moves() {
        Crane crane = new Crane(10);
        crane.lift(10);
        assertEquals(crane.copy().turns(20), 5);
    }

    @Test
    public void movesLittle() {
        assertEquals(new Crane(10).copy().turns(20), 2);
    }
}
