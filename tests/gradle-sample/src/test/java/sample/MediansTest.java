package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** One of these tests fails, by a defect of the library. */
class MediansTest {
    @Test
    void manyDegrees() throws Exception {
        assertEquals(1.0, new Medians(5, 4, 3).largest(), 1e-6);
    }

    @Test
    void fewDegreesFails() throws Exception {
        assertEquals(1.0, new Medians(5, 4, 3, 2, 1).largest(), 1e-6);
    }
}
