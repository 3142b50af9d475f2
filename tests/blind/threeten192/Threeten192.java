package threeten192;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import org.threeten.extra.YearWeek;

/** Counts in weeks, and in years of weeks. */
public class Threeten192 {
    private Threeten192() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        YearWeek now = YearWeek.of(2021, 1);
        assertTrue(now.isSupported(ChronoUnit.WEEKS));
        assertEquals(YearWeek.of(2021, 2), now.plus(1, ChronoUnit.WEEKS));
        assertEquals(YearWeek.parse("2022-W01"), now.plus(1, IsoFields.WEEK_BASED_YEARS));
        assertTrue(now.isSupported(IsoFields.WEEK_BASED_YEARS));
    }
}
