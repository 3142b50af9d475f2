package checks;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.Arrays;
import junit.framework.TestCase;
import rail.Announcer;
import rail.Stop;
import rail.Timetable;
import rail.Train;

/** Each test fails in a way of its own. A name begins with the kind; what follows is a way of it. */
public class TimetableTest extends TestCase {
    private Timetable table;

    @Override
    public void setUp() {
        table = new Timetable()
                .add(new Train("RE1", 6, Train.Kind.LOCAL))
                .add(new Train("ICE7", 12, Train.Kind.EXPRESS))
                .add(new Train("NJ4", 9, Train.Kind.NIGHT))
                .add(new Stop("Ulm", 3))
                .add(new Stop("Bonn", 1));
    }

    public void testNumber() {
        assertEquals(1620, table.seats());
    }

    public void testText() {
        assertEquals("3 trains", table.title());
    }

    public void testList() {
        assertEquals(List.of("RE1", "ICE7", "NJ4"), table.numbers());
    }

    public void testMap() {
        assertEquals(Map.of("RE1", 6, "ICE7", 12, "NJ4", 9), table.carsByNumber());
    }

    public void testSet() {
        assertEquals(EnumSet.allOf(Train.Kind.class), table.kinds());
    }

    public void testOptional() {
        assertEquals(Optional.of(new Train("ICE7", 12, Train.Kind.EXPRESS)), table.longest());
    }

    public void testOptionalPresent() {
        assertTrue(table.find("RE1").isPresent());
    }

    public void testRecord() {
        assertEquals(new Train("RE1+NJ4", 15, Train.Kind.LOCAL), table.coupled("RE1", "NJ4"));
    }

    public void testArray() {
        assertTrue(Arrays.equals(new int[] {6, 12, 9}, table.cars()));
    }

    public void testBigDecimal() {
        assertEquals(new BigDecimal("26.00"), table.fare(100));
    }

    public void testDate() {
        assertEquals(LocalDate.of(2024, 7, 1), table.validUntil(LocalDate.of(2024, 1, 1)));
    }

    public void testEnumValue() {
        assertEquals(Train.Kind.NIGHT, table.kindOf("NJ4"));
    }

    public void testBooleanValue() {
        assertTrue(table.runs("RE1"));
    }

    public void testNullValue() {
        assertNull(table.note("RE1"));
    }

    public void testSame() {
        Stop kiel = new Stop("Kiel", 2);
        assertSame(kiel, new Timetable().add(kiel).first());
    }

    public void testIterable() {
        assertEquals("Ulm", table.stations().iterator().next());
    }

    public void testObject() {
        assertEquals(new Stop("Bonn", 1), table.last());
    }

    public void testJson() {
        String expected = "[{\"number\":\"RE1\",\"cars\":6},{\"number\":\"ICE7\",\"cars\":12},{\"number\":\"NJ4\",\"cars\":9}]";
        assertEquals(expected, table.json());
    }

    public void testThrowsFail() {
        try {
            table.remove("S9");
            fail("should have thrown");
        } catch (NoSuchElementException expected) {
            // As it has to be.
        }
    }

    public void testDoesNotThrow() {
        table.platformOf("Ulm");
    }

    public void testMockVerify() {
        Announcer announcer = mock(Announcer.class);
        new Timetable(announcer).depart("RE1");
        verify(announcer).say("Train RE1 departs");
    }

    public void testMockAnswers() {
        Announcer announcer = mock(Announcer.class);
        when(announcer.volume()).thenReturn(4);
        assertEquals(5, new Timetable(announcer).loudness());
    }

    public void testCustom() {
        assertDelay(3, table, "RE1");
    }

    public void testHelper() {
        check("RE1", 3);
    }

    public void testLoop() {
        for (String number : List.of("RE1", "ICE7")) {
            assertEquals(number.length(), table.delay(number));
        }
    }

    public void testLambda() {
        List.of("RE1", "ICE7").forEach(number -> assertEquals(number.length(), table.delay(number)));
    }

    public void testThread() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            assertEquals(Integer.valueOf(3), table.count(pool).get());
        } finally {
            pool.shutdown();
        }
    }

    public void testThrowsOther() {
        try {
            table.rename("RE1", " ");
            fail("a blank name");
        } catch (IllegalArgumentException expected) {
            assertEquals("blank", expected.getMessage());
        }
    }

    public void testThrowsMessage() {
        try {
            table.reserve(-2);
            fail("seats that are not there");
        } catch (IllegalArgumentException expected) {
            assertEquals("seats: -2", expected.getMessage());
        }
    }

    private static void assertDelay(int minutes, Timetable table, String number) {
        int delay = table.delay(number);
        if (delay != minutes) {
            throw new AssertionError("delay of " + number + " is " + delay + ", not " + minutes);
        }
    }

    private void check(String number, int delay) {
        assertEquals(delay, table.delay(number));
    }
}
