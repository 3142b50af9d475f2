package checks

import java.time.LocalDate
import java.util.concurrent.Executors
import rail.Announcer
import rail.Stop
import rail.Timetable
import rail.Train
import spock.lang.Specification

/** Each feature fails in a way of its own. A name begins with the kind; what follows is a way of it. */
class TimetableSpec extends Specification {
    Timetable table

    def setup() {
        table = new Timetable()
                .add(new Train("RE1", 6, Train.Kind.LOCAL))
                .add(new Train("ICE7", 12, Train.Kind.EXPRESS))
                .add(new Train("NJ4", 9, Train.Kind.NIGHT))
                .add(new Stop("Ulm", 3))
                .add(new Stop("Bonn", 1))
    }

    def number() {
        expect:
        table.seats() == 1620
    }

    def text() {
        expect:
        table.title() == "3 trains"
    }

    def list() {
        expect:
        table.numbers() == ["RE1", "ICE7", "NJ4"]
    }

    def map() {
        expect:
        table.carsByNumber() == [RE1: 6, ICE7: 12, NJ4: 9]
    }

    def set() {
        expect:
        table.kinds() == EnumSet.allOf(Train.Kind)
    }

    def optional() {
        expect:
        table.longest() == Optional.of(new Train("ICE7", 12, Train.Kind.EXPRESS))
    }

    def optionalPresent() {
        expect:
        table.find("RE1").isPresent()
    }

    def record() {
        expect:
        table.coupled("RE1", "NJ4") == new Train("RE1+NJ4", 15, Train.Kind.LOCAL)
    }

    def array() {
        expect:
        table.cars() == [6, 12, 9] as int[]
    }

    def bigDecimal() {
        expect:
        table.fare(100) == 26.00
    }

    def date() {
        expect:
        table.validUntil(LocalDate.of(2024, 1, 1)) == LocalDate.of(2024, 7, 1)
    }

    def enumValue() {
        expect:
        table.kindOf("NJ4") == Train.Kind.NIGHT
    }

    def booleanValue() {
        expect:
        table.runs("RE1")
    }

    def nullValue() {
        expect:
        table.note("RE1") == null
    }

    def same() {
        given:
        def kiel = new Stop("Kiel", 2)

        expect:
        new Timetable().add(kiel).first().is(kiel)
    }

    def iterable() {
        expect:
        table.stations().toList() == ["Ulm", "Bonn"]
    }

    def object() {
        expect:
        table.last() == new Stop("Bonn", 1)
    }

    def json() {
        expect:
        table.json() == '[{"number":"RE1","cars":6},{"number":"ICE7","cars":12},{"number":"NJ4","cars":9}]'
    }

    def throwsNothing() {
        when:
        table.remove("S9")

        then:
        thrown(NoSuchElementException)
    }

    def throwsOther() {
        when:
        table.rename("RE1", " ")

        then:
        thrown(IllegalArgumentException)
    }

    def throwsMessage() {
        when:
        table.reserve(-2)

        then:
        def e = thrown(IllegalArgumentException)
        e.message == "seats: -2"
    }

    def doesNotThrow() {
        when:
        table.platformOf("Ulm")

        then:
        notThrown(NullPointerException)
    }

    def allOf() {
        expect:
        verifyAll {
            table.numbers().size() == 3
            table.title() == "3 trains"
        }
    }

    def mockVerify() {
        given:
        def announcer = Mock(Announcer)

        when:
        new Timetable(announcer).depart("RE1")

        then:
        1 * announcer.say("Train RE1 departs")
    }

    def mockAnswers() {
        given:
        def announcer = Stub(Announcer) { volume() >> 4 }

        expect:
        new Timetable(announcer).loudness() == 5
    }

    static void assertDelay(int minutes, Timetable table, String number) {
        def delay = table.delay(number)
        if (delay != minutes) {
            throw new AssertionError("delay of " + number + " is " + delay + ", not " + minutes)
        }
    }

    def custom() {
        expect:
        assertDelay(3, table, "RE1")
    }

    void check(String number, int delay) {
        assert table.delay(number) == delay
    }

    def helper() {
        expect:
        check("RE1", 3)
    }

    def loop() {
        expect:
        for (number in ["RE1", "ICE7"]) {
            assert table.delay(number) == number.length()
        }
    }

    def lambda() {
        expect:
        ["RE1", "ICE7"].every { table.delay(it) == it.length() }
    }

    def thread() {
        given:
        def pool = Executors.newSingleThreadExecutor()

        expect:
        table.count(pool).get() == 3

        cleanup:
        pool.shutdown()
    }
}
