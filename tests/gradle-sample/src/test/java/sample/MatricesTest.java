package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** Two of these tests fail, by a defect of the library. */
class MatricesTest {
    private static final BigDecimal ONE = BigDecimal.ONE;
    private static final BigDecimal TEN = BigDecimal.TEN;

    @Test
    void square() {
        assertEquals(43, Matrices.weightedSums(new double[][] {{1, 2}, {3, 4}}, ONE, TEN)[1].intValue());
    }

    @Test
    void highFails() {
        assertEquals(65, Matrices.weightedSums(new double[][] {{1, 2}, {3, 4}, {5, 6}}, ONE, TEN)[2].intValue());
    }

    @Test
    void wideFails() {
        assertEquals(102, Matrices.weightedTotal(new double[][] {{1, 2, 3}, {4, 5, 6}}, ONE, ONE, TEN).intValue());
    }

    @Test
    void keepsArgumentsOfTheProject() {
        assertEquals("kept", System.getProperty("sample.marker"));
    }
}
