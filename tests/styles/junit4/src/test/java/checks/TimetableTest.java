package checks;

import static org.hamcrest.CoreMatchers.equalTo;
import static org.hamcrest.CoreMatchers.hasItem;
import static org.hamcrest.CoreMatchers.is;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;
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
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ErrorCollector;
import org.junit.rules.ExpectedException;
import rail.Announcer;
import rail.Stop;
import rail.Timetable;
import rail.Train;

/** Each test fails in a way of its own. A name begins with the kind; what follows is a way of it. */
public class TimetableTest {
    @Rule
    public final ErrorCollector errors = new ErrorCollector();

    @Rule
    public final ExpectedException thrown = ExpectedException.none();

    private Timetable table;

    @Before
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
        assertEquals(1620, table.seats());
    }

    @Test
    public void text() {
        assertEquals("3 trains", table.title());
    }

    @Test
    public void list() {
        assertEquals(List.of("RE1", "ICE7", "NJ4"), table.numbers());
    }

    @Test
    public void map() {
        assertEquals(Map.of("RE1", 6, "ICE7", 12, "NJ4", 9), table.carsByNumber());
    }

    @Test
    public void set() {
        assertEquals(EnumSet.allOf(Train.Kind.class), table.kinds());
    }

    @Test
    public void optional() {
        assertEquals(Optional.of(new Train("ICE7", 12, Train.Kind.EXPRESS)), table.longest());
    }

    @Test
    public void optionalPresent() {
        assertTrue(table.find("RE1").isPresent());
    }

    @Test
    public void record() {
        assertEquals(new Train("RE1+NJ4", 15, Train.Kind.LOCAL), table.coupled("RE1", "NJ4"));
    }

    @Test
    public void array() {
        assertArrayEquals(new int[] {6, 12, 9}, table.cars());
    }

    @Test
    public void bigDecimal() {
        assertEquals(new BigDecimal("26.00"), table.fare(100));
    }

    @Test
    public void date() {
        assertEquals(LocalDate.of(2024, 7, 1), table.validUntil(LocalDate.of(2024, 1, 1)));
    }

    @Test
    public void enumValue() {
        assertEquals(Train.Kind.NIGHT, table.kindOf("NJ4"));
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
        assertSame(kiel, new Timetable().add(kiel).first());
    }

    @Test
    public void iterable() {
        assertThat(table.stations(), hasItem("Ulm"));
    }

    @Test
    public void object() {
        assertEquals(new Stop("Bonn", 1), table.last());
    }

    @Test
    public void json() {
        String expected = "[{\"number\":\"RE1\",\"cars\":6},{\"number\":\"ICE7\",\"cars\":12},{\"number\":\"NJ4\",\"cars\":9}]";
        assertEquals(expected, table.json());
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
        assertEquals(5, new Timetable(announcer).loudness());
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
            assertEquals(number.length(), table.delay(number));
        }
    }

    @Test
    public void lambda() {
        List.of("RE1", "ICE7").forEach(number -> assertEquals(number.length(), table.delay(number)));
    }

    @Test
    public void thread() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            assertEquals(Integer.valueOf(3), table.count(pool).get());
        } finally {
            pool.shutdown();
        }
    }

    @Test
    public void numberIs() {
        assertThat(table.seats(), is(1620));
    }

    @Test
    public void throwsNothing() {
        assertThrows(NoSuchElementException.class, () -> table.remove("S9"));
    }

    @Test(expected = IllegalArgumentException.class)
    public void throwsOther() {
        table.rename("RE1", " ");
    }

    @Test
    public void throwsMessage() {
        thrown.expect(IllegalArgumentException.class);
        thrown.expectMessage("seats: -2");
        table.reserve(-2);
    }

    @Test
    public void soft() {
        errors.checkThat(table.seats(), equalTo(1620));
        errors.checkThat(table.title(), equalTo("3 trains"));
    }

    @Test(timeout = 1000)
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
        assertEquals(delay, table.delay(number));
    }
}
