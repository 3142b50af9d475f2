package harbour;

import junit.framework.TestCase;

/** Of JUnit 3. */
public class CraneJUnit3Test extends TestCase {
    public void testMoves() {
        Crane crane = new Crane(10);
        crane.lift(10);
        assertEquals(5, crane.moves(20));
    }
}
