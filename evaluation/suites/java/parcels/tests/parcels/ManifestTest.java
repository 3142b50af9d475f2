package parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A wrong list. */
class ManifestTest {
    @Test
    void oneTown() {
        Manifest manifest = new Manifest();
        manifest.load(new Parcel("A1", "Ulm", 100));
        manifest.load(new Parcel("A2", "Ulm", 200));
        assertEquals(List.of("Ulm"), manifest.towns());
    }

    @Test
    void eachTownOnce() {
        Manifest manifest = new Manifest();
        manifest.load(new Parcel("A1", "Ulm", 100));
        manifest.load(new Parcel("A2", "Bern", 200));
        manifest.load(new Parcel("A3", "Ulm", 300));
        assertEquals(List.of("Ulm", "Bern"), manifest.towns());
    }
}
