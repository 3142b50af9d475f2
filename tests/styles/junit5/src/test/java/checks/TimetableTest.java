package checks;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasProperty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rail.Announcer;
import rail.Stop;
import rail.Timetable;
import rail.Train;

/** Each test fails in a way of its own. A name begins with the kind; what follows is a way of it. */
class TimetableTest {
    private Timetable table;

    @BeforeEach
    void setUp() {
        table = new Timetable()
                .add(new Train("RE1", 6, Train.Kind.LOCAL))
                .add(new Train("ICE7", 12, Train.Kind.EXPRESS))
                .add(new Train("NJ4", 9, Train.Kind.NIGHT))
                .add(new Stop("Ulm", 3))
                .add(new Stop("Bonn", 1));
    }

    @Test
    void number() {
        assertEquals(1620, table.seats());
    }

    @Test
    void text() {
        assertEquals("3 trains", table.title());
    }

    @Test
    void list() {
        assertEquals(List.of("RE1", "ICE7", "NJ4"), table.numbers());
    }

    @Test
    void map() {
        assertEquals(Map.of("RE1", 6, "ICE7", 12, "NJ4", 9), table.carsByNumber());
    }

    @Test
    void set() {
        assertEquals(EnumSet.allOf(Train.Kind.class), table.kinds());
    }

    @Test
    void optional() {
        assertEquals(Optional.of(new Train("ICE7", 12, Train.Kind.EXPRESS)), table.longest());
    }

    @Test
    void optionalPresent() {
        assertTrue(table.find("RE1").isPresent());
    }

    @Test
    void optionalGet() {
        assertEquals("RE1", table.find("RE1").get().number());
    }

    @Test
    void record() {
        assertEquals(new Train("RE1+NJ4", 15, Train.Kind.LOCAL), table.coupled("RE1", "NJ4"));
    }

    @Test
    void array() {
        assertArrayEquals(new int[] {6, 12, 9}, table.cars());
    }

    @Test
    void bigDecimal() {
        assertEquals(new BigDecimal("26.00"), table.fare(100));
    }

    @Test
    void bigDecimalCompare() {
        assertEquals(0, new BigDecimal("26").compareTo(table.fare(100)));
    }

    @Test
    void date() {
        assertEquals(LocalDate.of(2024, 7, 1), table.validUntil(LocalDate.of(2024, 1, 1)));
    }

    @Test
    void dateTime() {
        assertEquals(LocalTime.of(10, 45), table.arrival(LocalTime.of(10, 15), 30));
    }

    @Test
    void enumValue() {
        assertEquals(Train.Kind.NIGHT, table.kindOf("NJ4"));
    }

    @Test
    void booleanValue() {
        assertTrue(table.runs("RE1"));
    }

    @Test
    void nullValue() {
        assertNull(table.note("RE1"));
    }

    @Test
    void nullValueNot() {
        assertNotNull(table.stop("Ulm"));
    }

    @Test
    void same() {
        Stop s = new Stop("Kiel", 2);
        Timetable t = new Timetable().add(s);
        assertSame(s, t.first());
    }

    @Test
    void object() {
        assertEquals(new Stop("Bonn", 1), table.last());
    }

    @Test
    void iterable() {
        assertIterableEquals(List.of("Ulm", "Bonn"), table.stations());
    }

    @Test
    void objectList() {
        assertEquals(List.of(new Stop("Ulm", 3), new Stop("Bonn", 1)), table.allStops());
    }

    @Test
    void json() {
        String expected = "[{\"number\":\"RE1\",\"cars\":6},{\"number\":\"ICE7\",\"cars\":12},{\"number\":\"NJ4\",\"cars\":9}]";
        assertEquals(expected, table.json());
    }

    @Test
    void throwsNothing() {
        assertThrows(NoSuchElementException.class, () -> table.remove("S9"));
    }

    @Test
    void throwsOther() {
        assertThrows(IllegalArgumentException.class, () -> table.rename("RE1", " "));
    }

    @Test
    void throwsMessage() {
        Exception e = assertThrows(IllegalArgumentException.class, () -> table.reserve(-2));
        assertEquals("seats: -2", e.getMessage());
    }

    @Test
    void throwsFail() {
        try {
            table.remove("S9");
            fail("should have thrown");
        } catch (NoSuchElementException expected) {
            // As it has to be.
        }
    }

    @Test
    void doesNotThrow() {
        assertDoesNotThrow(() -> table.platformOf("Ulm"));
    }

    @Test
    void crash() {
        assertEquals(3, table.platformOf("Ulm"));
    }

    @Test
    void allOf() {
        assertAll(() -> assertEquals(3, table.numbers().size()), () -> assertEquals("3 trains", table.title()));
    }

    @Test
    void soft() {
        SoftAssertions s = new SoftAssertions();
        s.assertThat(table.seats()).isEqualTo(1620);
        s.assertThat(table.title()).isEqualTo("3 trains");
        s.assertAll();
    }

    @Test
    void timeout() {
        assertTimeoutPreemptively(Duration.ofSeconds(1), () -> table.changes(2));
    }

    @Test
    void mockVerify() {
        Announcer a = mock(Announcer.class);
        new Timetable(a).depart("RE1");
        verify(a).say("Train RE1 departs");
    }

    @Test
    void mockAnswers() {
        Announcer a = mock(Announcer.class);
        when(a.volume()).thenReturn(4);
        assertEquals(5, new Timetable(a).loudness());
    }

    static void assertDelay(int minutes, Timetable t, String number) {
        int delay = t.delay(number);
        if (delay != minutes) {
            throw new AssertionError("delay of " + number + " is " + delay + ", not " + minutes);
        }
    }

    @Test
    void custom() {
        assertDelay(3, table, "RE1");
    }

    private void check(String number, int delay) {
        assertEquals(delay, table.delay(number));
    }

    @Test
    void helper() {
        check("RE1", 3);
    }

    @Test
    void loop() {
        for (String n : List.of("RE1", "ICE7")) {
            assertEquals(n.length(), table.delay(n));
        }
    }

    @Test
    void lambda() {
        List.of("RE1", "ICE7").forEach(n -> assertEquals(n.length(), table.delay(n)));
    }

    @Test
    void lambdaSupplier() {
        Supplier<Integer> s = () -> table.delay("RE1");
        assertEquals(3, s.get());
    }

    @Test
    void thread() throws Throwable {
        Throwable[] failed = new Throwable[1];
        Thread t = new Thread(() -> {
            try {
                assertEquals(3, table.delay("RE1"));
            } catch (Throwable e) {
                failed[0] = e;
            }
        });
        t.start();
        t.join();
        if (failed[0] != null) {
            throw failed[0];
        }
    }

    @Test
    void threadFuture() throws Exception {
        ExecutorService p = Executors.newSingleThreadExecutor();
        try {
            assertEquals(3, table.count(p).get());
        } finally {
            p.shutdown();
        }
    }

    @Test
    void textFormat() {
        assertEquals("3/1620", String.format("%d/%d", table.numbers().size(), table.seats()));
    }

    @Test
    void textConcat() {
        assertEquals("RE1: 3 min", "RE1: " + table.delay("RE1") + " min");
    }

    @Test
    void hamcrest() {
        assertThat(table.numbers(), contains("RE1", "ICE7", "NJ4"));
    }

    @Test
    void hamcrestSize() {
        assertThat(table.numbers(), hasSize(3));
    }

    @Test
    void hamcrestProperty() {
        assertThat(table.last(), hasProperty("platform", equalTo(1)));
    }

    @Test
    void hamcrestItem() {
        assertThat(table.numbers(), hasItem("ICE7"));
    }

    @Test
    void hamcrestIs() {
        assertThat(table.seats(), is(1620));
    }

    @Test
    void assertjText() {
        Assertions.assertThat(table.title()).isEqualTo("3 trains");
    }

    @Test
    void assertjChain() {
        Assertions.assertThat(table.title()).isNotEmpty().startsWith("3").endsWith("trains");
    }

    @Test
    void assertjList() {
        Assertions.assertThat(table.numbers()).containsExactly("RE1", "ICE7", "NJ4");
    }

    @Test
    void assertjSize() {
        Assertions.assertThat(table.numbers()).hasSize(3);
    }

    @Test
    void assertjOptional() {
        Assertions.assertThat(table.find("RE1")).isPresent();
    }

    @Test
    void assertjOptionalValue() {
        Assertions.assertThat(table.longest()).hasValueSatisfying(t -> Assertions.assertThat(t.number()).isEqualTo("ICE7"));
    }

    @Test
    void assertjExtracting() {
        Assertions.assertThat(table.allStops()).extracting(Stop::getStation).containsExactly("Ulm", "Bonn");
    }

    @Test
    void assertjExtractingName() {
        Assertions.assertThat(table.last()).extracting("platform").isEqualTo(1);
    }

    @Test
    void assertjMap() {
        Assertions.assertThat(table.carsByNumber()).containsEntry("RE1", 6);
    }

    @Test
    void assertjRecursive() {
        Assertions.assertThat(table.last()).usingRecursiveComparison().isEqualTo(new Stop("Bonn", 1));
    }

    @Test
    void assertjThrown() {
        assertThatThrownBy(() -> table.remove("S9")).isInstanceOf(NoSuchElementException.class).hasMessageContaining("S9");
    }

    @Test
    void assertjThrownOther() {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> table.rename("RE1", " ")).withMessage("blank");
    }

    @Test
    void assertjNoThrow() {
        assertThatCode(() -> table.platformOf("Ulm")).doesNotThrowAnyException();
    }

    @Test
    void assertjDate() {
        Assertions.assertThat(table.validUntil(LocalDate.of(2024, 1, 1))).isEqualTo("2024-07-01");
    }

    @Test
    void assertjBig() {
        Assertions.assertThat(table.fare(100)).isEqualByComparingTo("26");
    }
}
