package checks

import io.kotest.assertions.assertSoftly
import io.kotest.assertions.fail
import io.kotest.assertions.throwables.shouldNotThrowAny
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.throwables.shouldThrowAny
import io.kotest.assertions.throwables.shouldThrowExactly
import io.kotest.assertions.throwables.shouldThrowMessage
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.comparables.shouldBeEqualComparingTo
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.optional.shouldBePresent
import io.kotest.matchers.should
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.endWith
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.math.BigDecimal
import java.time.LocalDate
import java.time.LocalTime
import java.util.EnumSet
import java.util.NoSuchElementException
import java.util.Optional
import java.util.concurrent.Executors
import org.mockito.Mockito.mock
import org.mockito.Mockito.verify
import org.mockito.Mockito.`when`
import rail.Announcer
import rail.Stop
import rail.Timetable
import rail.Train

/** Each test fails in a way of its own. A name begins with the kind; what follows is a way of it. */
class TimetableSpec : FunSpec({
    lateinit var table: Timetable

    beforeTest {
        table = Timetable()
            .add(Train("RE1", 6, Train.Kind.LOCAL))
            .add(Train("ICE7", 12, Train.Kind.EXPRESS))
            .add(Train("NJ4", 9, Train.Kind.NIGHT))
            .add(Stop("Ulm", 3))
            .add(Stop("Bonn", 1))
    }

    fun check(number: String, delay: Int) {
        table.delay(number) shouldBe delay
    }

    test("number") {
        table.seats() shouldBe 1620
    }

    test("numberCompared") {
        table.delay("RE1") shouldBeLessThan 5
    }

    test("text") {
        table.title() shouldBe "3 trains"
    }

    test("textEnd") {
        table.title() shouldEndWith "3 trains"
    }

    test("textMatcher") {
        table.title() should endWith("3 trains")
    }

    test("textNot") {
        table.title() shouldNotBe "3 trainss"
    }

    test("list") {
        table.numbers() shouldBe listOf("RE1", "ICE7", "NJ4")
    }

    test("listExactly") {
        table.numbers() shouldContainExactly listOf("RE1", "ICE7", "NJ4")
    }

    test("listSize") {
        table.numbers() shouldHaveSize 3
    }

    test("map") {
        table.carsByNumber() shouldBe mapOf("RE1" to 6, "ICE7" to 12, "NJ4" to 9)
    }

    test("mapEntry") {
        table.carsByNumber().shouldContain("RE1", 6)
    }

    test("set") {
        table.kinds() shouldBe EnumSet.allOf(Train.Kind::class.java)
    }

    test("setContains") {
        table.kinds() shouldContain Train.Kind.NIGHT
    }

    test("optional") {
        table.longest() shouldBe Optional.of(Train("ICE7", 12, Train.Kind.EXPRESS))
    }

    test("optionalPresent") {
        table.find("RE1").shouldBePresent()
    }

    test("record") {
        table.coupled("RE1", "NJ4") shouldBe Train("RE1+NJ4", 15, Train.Kind.LOCAL)
    }

    test("array") {
        table.cars() shouldBe intArrayOf(6, 12, 9)
    }

    test("bigDecimal") {
        table.fare(100) shouldBe BigDecimal("26.00")
    }

    test("bigDecimalCompared") {
        table.fare(100) shouldBeEqualComparingTo BigDecimal("26")
    }

    test("date") {
        table.validUntil(LocalDate.of(2024, 1, 1)) shouldBe LocalDate.of(2024, 7, 1)
    }

    test("dateTime") {
        table.arrival(LocalTime.of(10, 30), 45) shouldBe LocalTime.of(11, 15)
    }

    test("enumValue") {
        table.kindOf("NJ4") shouldBe Train.Kind.NIGHT
    }

    test("booleanValue") {
        table.runs("RE1") shouldBe true
    }

    test("booleanValueTrue") {
        table.runs("RE1").shouldBeTrue()
    }

    test("nullValue") {
        table.note("RE1").shouldBeNull()
    }

    test("nullValueNot") {
        table.stop("Bonn").shouldNotBeNull()
    }

    test("same") {
        val kiel = Stop("Kiel", 2)
        Timetable().add(kiel).first() shouldBeSameInstanceAs kiel
    }

    test("iterable") {
        table.stations().toList() shouldBe listOf("Ulm", "Bonn")
    }

    test("object") {
        table.last() shouldBe Stop("Bonn", 1)
    }

    test("json") {
        table.json() shouldBe """[{"number":"RE1","cars":6},{"number":"ICE7","cars":12},{"number":"NJ4","cars":9}]"""
    }

    test("throwsNothing") {
        shouldThrow<NoSuchElementException> { table.remove("S9") }
    }

    test("throwsNothingAtAll") {
        shouldThrowAny { table.remove("S9") }
    }

    test("throwsOther") {
        shouldThrow<IllegalArgumentException> { table.rename("RE1", " ") }
    }

    test("throwsOtherExactly") {
        shouldThrowExactly<IllegalArgumentException> { table.rename("RE1", " ") }
    }

    test("throwsMessage") {
        val e = shouldThrow<IllegalArgumentException> { table.reserve(-2) }
        e.message shouldBe "seats: -2"
    }

    test("throwsMessageInOne") {
        shouldThrowMessage("seats: -2") { table.reserve(-2) }
    }

    test("throwsFail") {
        try {
            table.remove("S9")
            fail("should have thrown")
        } catch (expected: NoSuchElementException) {
            // As it has to be.
        }
    }

    test("doesNotThrow") {
        table.platformOf("Ulm")
    }

    test("doesNotThrowAny") {
        shouldNotThrowAny { table.platformOf("Ulm") }
    }

    test("soft") {
        assertSoftly {
            table.seats() shouldBe 1620
            table.title() shouldBe "3 trains"
        }
    }

    test("softClue") {
        withClue("all cars") {
            table.seats() shouldBe 1620
        }
    }

    test("allOf") {
        assertSoftly(table.coupled("RE1", "NJ4")) {
            number() shouldBe "RE1+NJ4"
            cars() shouldBe 15
        }
    }

    test("mockVerify") {
        val announcer = mock(Announcer::class.java)
        Timetable(announcer).depart("RE1")
        verify(announcer).say("Train RE1 departs")
    }

    test("mockAnswers") {
        val announcer = mock(Announcer::class.java)
        `when`(announcer.volume()).thenReturn(4)
        Timetable(announcer).loudness() shouldBe 5
    }

    test("custom") {
        table.shouldHaveDelay("RE1", 3)
    }

    test("helper") {
        check("RE1", 3)
    }

    test("loop") {
        for (number in listOf("RE1", "ICE7")) {
            table.delay(number) shouldBe number.length
        }
    }

    test("lambda") {
        listOf("RE1", "ICE7").forAll { table.delay(it) shouldBe it.length }
    }

    test("thread") {
        val pool = Executors.newSingleThreadExecutor()
        try {
            table.count(pool).get() shouldBe 3
        } finally {
            pool.shutdown()
        }
    }
})

private fun Timetable.shouldHaveDelay(number: String, minutes: Int) {
    val delay = delay(number)
    if (delay != minutes) {
        throw AssertionError("delay of $number is $delay, not $minutes")
    }
}
