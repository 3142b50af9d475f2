package parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A crash. */
class RouteTest {
    private final Route route = new Route().to("Ulm").to("Bern").to("Graz");

    @Test
    void goesOn() {
        assertEquals("Bern", route.after("Ulm"));
    }

    @Test
    void beginsAgain() {
        assertEquals("Ulm", route.after("Graz"));
    }
}
