package checks;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertNull;
import static org.testng.Assert.assertSame;
import static org.testng.Assert.assertTrue;
import static org.testng.Assert.expectThrows;
import static org.testng.Assert.fail;
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
import org.testng.Assert;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;
import org.testng.asserts.SoftAssert;
import rail.Announcer;
import rail.Stop;
import rail.Timetable;
import rail.Train;

/** Each test fails in a way of its own. A name begins with the kind; what follows is a way of it. */
public class TimetableTest {
    private Timetable table;

    @BeforeMethod
    public void setUp() {
        table = new Timetable()
                .add(new Train("RE1", 6, Train.Kind.LOCAL))
                .add(new Train("ICE7", 12, Train.Kind.EXPRESS))
                .add(new Train("NJ4", 9, Train.Kind.NIGHT))
                .add(new Stop("Ulm", 3))
                .add(new Stop("Bonn", 1));
    }

    @Test
    public void number() {
        assertEquals(table.seats(), 1620);
    }

    @Test
    public void text() {
        assertEquals(table.title(), "3 trains");
    }

    @Test
    public void list() {
        assertEquals(table.numbers(), List.of("RE1", "ICE7", "NJ4"));
    }

    @Test
    public void map() {
        assertEquals(table.carsByNumber(), Map.of("RE1", 6, "ICE7", 12, "NJ4", 9));
    }

    @Test
    public void set() {
        assertEquals(table.kinds(), EnumSet.allOf(Train.Kind.class));
    }

    @Test
    public void optional() {
        assertEquals(table.longest(), Optional.of(new Train("ICE7", 12, Train.Kind.EXPRESS)));
    }

    @Test
    public void optionalPresent() {
        assertTrue(table.find("RE1").isPresent());
    }

    @Test
    public void record() {
        assertEquals(table.coupled("RE1", "NJ4"), new Train("RE1+NJ4", 15, Train.Kind.LOCAL));
    }

    @Test
    public void array() {
        assertEquals(table.cars(), new int[] {6, 12, 9});
    }

    @Test
    public void bigDecimal() {
        assertEquals(table.fare(100), new BigDecimal("26.00"));
    }

    @Test
    public void date() {
        assertEquals(table.validUntil(LocalDate.of(2024, 1, 1)), LocalDate.of(2024, 7, 1));
    }

    @Test
    public void enumValue() {
        assertEquals(table.kindOf("NJ4"), Train.Kind.NIGHT);
    }

    @Test
    public void booleanValue() {
        assertTrue(table.runs("RE1"));
    }

    @Test
    public void nullValue() {
        assertNull(table.note("RE1"));
    }

    @Test
    public void same() {
        Stop kiel = new Stop("Kiel", 2);
        assertSame(new Timetable().add(kiel).first(), kiel);
    }

    @Test
    public void iterable() {
        assertEquals(table.stations(), List.of("Ulm", "Bonn"));
    }

    @Test
    public void object() {
        assertEquals(table.last(), new Stop("Bonn", 1));
    }

    @Test
    public void json() {
        String expected = "[{\"number\":\"RE1\",\"cars\":6},{\"number\":\"ICE7\",\"cars\":12},{\"number\":\"NJ4\",\"cars\":9}]";
        assertEquals(table.json(), expected);
    }

    @Test
    public void throwsFail() {
        try {
            table.remove("S9");
            fail("should have thrown");
        } catch (NoSuchElementException expected) {
            // As it has to be.
        }
    }

    @Test
    public void doesNotThrow() {
        table.platformOf("Ulm");
    }

    @Test
    public void mockVerify() {
        Announcer announcer = mock(Announcer.class);
        new Timetable(announcer).depart("RE1");
        verify(announcer).say("Train RE1 departs");
    }

    @Test
    public void mockAnswers() {
        Announcer announcer = mock(Announcer.class);
        when(announcer.volume()).thenReturn(4);
        assertEquals(new Timetable(announcer).loudness(), 5);
    }

    @Test
    public void custom() {
        assertDelay(3, table, "RE1");
    }

    @Test
    public void helper() {
        check("RE1", 3);
    }

    @Test
    public void loop() {
        for (String number : List.of("RE1", "ICE7")) {
            assertEquals(table.delay(number), number.length());
        }
    }

    @Test
    public void lambda() {
        List.of("RE1", "ICE7").forEach(number -> assertEquals(table.delay(number), number.length()));
    }

    @Test
    public void thread() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            assertEquals(table.count(pool).get(), Integer.valueOf(3));
        } finally {
            pool.shutdown();
        }
    }

    @Test
    public void throwsNothing() {
        Assert.assertThrows(NoSuchElementException.class, () -> table.remove("S9"));
    }

    @Test(expectedExceptions = IllegalArgumentException.class)
    public void throwsOther() {
        table.rename("RE1", " ");
    }

    @Test
    public void throwsMessage() {
        Exception e = expectThrows(IllegalArgumentException.class, () -> table.reserve(-2));
        assertEquals(e.getMessage(), "seats: -2");
    }

    @Test
    public void soft() {
        SoftAssert soft = new SoftAssert();
        soft.assertEquals(table.seats(), 1620);
        soft.assertEquals(table.title(), "3 trains");
        soft.assertAll();
    }

    @Test(timeOut = 1000)
    public void timeout() {
        table.changes(2);
    }

    private static void assertDelay(int minutes, Timetable table, String number) {
        int delay = table.delay(number);
        if (delay != minutes) {
            throw new AssertionError("delay of " + number + " is " + delay + ", not " + minutes);
        }
    }

    private void check(String number, int delay) {
        assertEquals(table.delay(number), delay);
    }
}
