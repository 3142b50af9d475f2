package parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lambda in a stream. */
class DepotTest {
    private final Depot depot = new Depot();

    @BeforeEach
    void fill() {
        depot.store(new Parcel("A1", "Ulm", 900));
        depot.store(new Parcel("A2", "Bern", 1000));
        depot.store(new Parcel("A3", "Graz", 1100));
    }

    @Test
    void heavyOnes() {
        assertEquals(List.of("A3"), depot.from(1050));
    }

    @Test
    void theLimitCounts() {
        assertEquals(List.of("A2", "A3"), depot.from(1000));
    }
}
