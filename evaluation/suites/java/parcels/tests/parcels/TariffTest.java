package parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A wrong number. */
class TariffTest {
    private final Tariff tariff = new Tariff(300, 50);

    @Test
    void wholeKilograms() {
        assertEquals(400, tariff.cents(new Parcel("A1", "Ulm", 2000)));
    }

    @Test
    void beginsKilograms() {
        assertEquals(450, tariff.cents(new Parcel("A2", "Ulm", 2001)));
    }
}
