package harbour;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Of JUnit 4. Fails for one of two values. */
@RunWith(Parameterized.class)
public class CraneJUnit4Test {
    private final int tons;

    public CraneJUnit4Test(int tons) {
        this.tons = tons;
    }

    @Parameters
    public static Iterable<Object[]> tons() {
        return Arrays.asList(new Object[] {6}, new Object[] {10});
    }

    @Test
    public void moves() {
        Crane crane = new Crane(10);
        crane.lift(tons);
        assertEquals(5, crane.moves(20));
    }
}
