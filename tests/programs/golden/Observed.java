package golden;

import java.util.TimeZone;

/** Remembers the machine's time zone. */
final class Observed {
    private final TimeZone zone;

    Observed() {
        zone = TimeZone.getDefault();
    }

    String getTimeZoneName() {
        return zone.getID();
    }
}
