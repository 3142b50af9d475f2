//! What a failed test expected, its minimal test expects, too: it fails on the program as it is, and passes on the repaired one.

use super::repairs::Repairable;

const EMPTY: &str = r#"package cellar;

public class Empty extends Exception {
    public Empty(String message) {
        super(message);
    }
}
"#;

const LOT: &str = r#"package cellar;

public class Lot {
    private final String wine;
    private final int number;

    Lot(String wine, int number) {
        this.wine = wine;
        this.number = number;
    }

    public String wine() {
        return wine;
    }

    public int number() {
        return number;
    }
}
"#;

/// `/* … */` stands for what is done only in the repaired one.
const CELLAR: &str = r#"package cellar;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class Cellar {
    private final Map<String, Integer> bottles = new TreeMap<>();
    private int most = 100;

    public Cellar() {
    }

    public Cellar(Cellar other) {
        bottles.putAll(other.bottles);
        /* most = other.most; */
    }

    public void limit(int number) {
        most = number;
    }

    public void put(String wine, int number) {
        bottles.merge(wine, number, Integer::sum);
    }

    public void empty(String wine) {
        /* bottles.remove(wine); */
    }

    public int room() {
        int all = 0;
        for (int number : bottles.values()) {
            all += number;
        }
        return most - all;
    }

    public int fetch(String wine, int number) throws Empty {
        Integer there = bottles.get(wine);
        if (there == null) {
            throw new Empty("no " + wine/* */.length()/* */);
        }
        /* if (there < number) { throw new Empty("not enough " + wine); } */
        bottles.put(wine, there - number);
        return 100 / number;
    }

    public int after(int years) {
        return years/* + 1 */;
    }

    public List<Lot> lots(int least) {
        List<Lot> lots = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : bottles.entrySet()) {
            if (entry.getValue() >= least/* + 1 */) {
                lots.add(new Lot(entry.getKey(), entry.getValue()));
            }
        }
        return lots;
    }
}
"#;

const TEST: &str = r#"package cellar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class CellarTest {
    private final Cellar cellar = new Cellar();

    @BeforeEach
    void fill() {
        cellar.put("rioja", 2);
        cellar.put("port", 7);
    }

    @Test
    void nothingIsThrown() {
        assertThrows(Empty.class, () -> cellar.fetch("rioja", 3));
    }

    @Test
    void oneOfTwoThrows() {
        assertThrows(Empty.class, () -> {
            cellar.fetch("rioja", 5);
            cellar.put("dao", 1);
        });
    }

    @Test
    void anotherIsThrown() {
        cellar.put("dao", -1);
        assertThrows(Empty.class, () -> cellar.fetch("dao", 0));
    }

    @Test
    void tryGoesOn() {
        try {
            cellar.fetch("port", 8);
            fail("there are seven");
        } catch (Empty e) {
            assertNotNull(e.getMessage());
        }
    }

    @Test
    void tryGetsAnother() {
        cellar.put("dao", -1);
        try {
            cellar.fetch("dao", 0);
            fail("nothing is too little");
        } catch (Empty e) {
            assertNotNull(e.getMessage());
        }
    }

    @Test
    void messageOfOneCaught() {
        Empty e = assertThrows(Empty.class, () -> cellar.fetch("dao", 1));
        assertEquals("no dao", e.getMessage());
    }

    @Test
    void messageInAChain() {
        assertThatThrownBy(() -> cellar.fetch("dao", 1)).isInstanceOf(Empty.class).hasMessageContaining("dao");
    }

    @Test
    void messageOfType() {
        assertThatExceptionOfType(Empty.class).isThrownBy(() -> cellar.fetch("dao", 1)).withMessage("no dao");
    }

    @Test
    void nothingIsCaught() {
        assertThat(catchThrowable(() -> cellar.fetch("port", 9))).isInstanceOf(Empty.class);
    }

    @Test
    void lambdas() {
        assertThat(cellar.lots(2)).extracting(Lot::wine).containsExactly("port");
    }

    @Test
    void lambdasWithBodies() {
        assertThat(cellar.lots(2)).allSatisfy(lot -> assertThat(lot.number()).isGreaterThan(2));
    }

    @Test
    void copies() {
        cellar.limit(10);
        assertEquals(1, cellar.room());
        assertEquals(1, new Cellar(cellar).room());
    }

    @RepeatedTest(1)
    void grows(RepetitionInfo info) {
        assertTrue(new Cellar().after(info.getCurrentRepetition()) > info.getCurrentRepetition());
    }

    @Test
    void nothingIsDone() {
        cellar.empty("port");
        assertEquals(98, cellar.room());
    }
}
"#;

const OLD_TEST: &str = r#"package cellar;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExpectedException;

public class OldCellarTest {
    @Rule
    public ExpectedException thrown = ExpectedException.none();

    private final Cellar cellar = new Cellar();

    @Before
    public void fill() {
        cellar.put("rioja", 2);
    }

    @Test(expected = Empty.class)
    public void declaredAndNotThrown() throws Empty {
        cellar.fetch("rioja", 3);
    }

    @Test(expected = Empty.class)
    public void declaredAndAnother() throws Empty {
        cellar.put("dao", -1);
        cellar.fetch("dao", 0);
    }

    @Test
    public void ruleAndNotThrown() throws Empty {
        thrown.expect(Empty.class);
        cellar.fetch("rioja", 4);
    }

    @Test
    public void ruleAndAnotherMessage() throws Empty {
        thrown.expect(Empty.class);
        thrown.expectMessage("dao");
        cellar.fetch("dao", 1);
    }
}
"#;

/// A test that inherits what runs it.
const OLDEST_TEST: &str = r#"package cellar;

import junit.framework.TestCase;

public class OldestCellarTest extends TestCase {
    private final Cellar cellar = new Cellar();

    public void testTryGetsAnother() {
        cellar.put("dao", -1);
        try {
            cellar.fetch("dao", 0);
            fail("nothing is too little");
        } catch (Empty expected) {
            assertNotNull(expected.getMessage());
        }
    }

    public void testByItself() {
        assertYears(3, cellar.after(2));
    }

    private static void assertYears(int expected, int years) {
        if (years != expected) {
            throw new AssertionError("after " + years + " years");
        }
    }
}
"#;

/// What is asked of the test of each failed one.
const WANTED: [(&str, &str); 20] = [
    (
        "testTryGetsAnother",
        "assertThrows(Empty.class, () -> cellar.fetch(\"dao\", 0))",
    ),
    ("testByItself", "assertNotEquals(2, new Cellar().after(2))"),
    (
        "nothingIsThrown",
        "assertThrows(Empty.class, () -> cellar.fetch(\"rioja\", 3))",
    ),
    (
        "oneOfTwoThrows",
        "() -> { cellar.fetch(\"rioja\", 5); cellar.put(\"dao\", 1); }",
    ),
    (
        "anotherIsThrown",
        "assertThrows(Empty.class, () -> cellar.fetch(\"dao\", 0))",
    ),
    (
        "tryGoesOn",
        "assertThrows(Empty.class, () -> cellar.fetch(\"port\", 8))",
    ),
    (
        "tryGetsAnother",
        "assertThrows(Empty.class, () -> cellar.fetch(\"dao\", 0))",
    ),
    ("messageOfOneCaught", "assertEquals(\"no dao\", "),
    ("messageInAChain", ".getMessage().contains(\"dao\")"),
    ("messageOfType", "assertEquals(\"no dao\", "),
    (
        "nothingIsCaught",
        "assertThrows(Empty.class, () -> cellar.fetch(\"port\", 9))",
    ),
    ("lambdas", "extracting(Lot::wine)"),
    ("lambdasWithBodies", "allSatisfy(lot -> "),
    ("copies", "cellar.limit(10);"),
    ("grows[1]", "assertNotEquals(1, new Cellar().after(1))"),
    ("nothingIsDone", "cellar.empty(\"port\");"),
    (
        "declaredAndNotThrown",
        "assertThrows(Empty.class, () -> cellar.fetch(\"rioja\", 3))",
    ),
    (
        "declaredAndAnother",
        "assertThrows(Empty.class, () -> cellar.fetch(\"dao\", 0))",
    ),
    (
        "ruleAndNotThrown",
        "assertThrows(Empty.class, () -> cellar.fetch(\"rioja\", 4))",
    ),
    ("ruleAndAnotherMessage", ".getMessage().contains(\"dao\")"),
];

/// The program with its defects, or repaired.
fn program(repaired: bool) -> String {
    match repaired {
        // What stands between two empty comments goes.
        true => {
            let mut parts = CELLAR.split("/* */");
            let (head, tail) = (parts.next().unwrap(), parts.nth(1).unwrap());
            let whole = head.to_owned() + tail;
            let guard = "if (there < number) {";
            let or_none = "if (there < number || number == 0) {";
            whole
                .replace("/* ", "")
                .replace(" */", "")
                .replace(guard, or_none)
        }
        false => CELLAR.to_owned(),
    }
}

#[test]
fn what_a_test_expected_is_expected_below_it() {
    let repaired = program(true);
    let program = Repairable {
        package: "cellar",
        broken: &[("Cellar", CELLAR), ("Empty", EMPTY), ("Lot", LOT)],
        repaired: &[("Cellar", &repaired), ("Empty", EMPTY), ("Lot", LOT)],
        tests: &[
            ("CellarTest", TEST),
            ("OldCellarTest", OLD_TEST),
            ("OldestCellarTest", OLDEST_TEST),
        ],
        files: &[],
    };
    program.tried(&[]).assert_flips(&WANTED);
}
