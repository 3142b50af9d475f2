//! What an assertion says beside the expected value: how near is near enough, which text stands for a date, and which exception it would have asked for next.

use super::repairs::Repairable;

/// `/* … */` is replaced in the repaired one.
const KILN: &str = r#"package kiln;

import java.time.LocalDate;

public class Kiln {
    private final double[] degrees;

    public Kiln(double... degrees) {
        this.degrees = degrees;
    }

    public double mean() {
        double sum = 0;
        for (double each : degrees) {
            sum += each;
        }
        return sum / degrees.length/* MEAN */ + 10/* MEAN */;
    }

    public double[] cooled() {
        double[] cooled = new double[degrees.length];
        for (int i = 0; i < degrees.length; i++) {
            cooled[i] = degrees[i] / /* COOLED */3/* COOLED */;
        }
        return cooled;
    }

    public LocalDate opened(LocalDate fired) {
        return fired./* OPENED */minusDays/* OPENED */(2);
    }

    public void load(int pots) {
        if (pots /* LOAD */> 100/* LOAD */) {
            throw new IllegalArgumentException(pots + " pots");
        }
    }
}
"#;

const TEST: &str = r#"package kiln;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.*;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class KilnTest {
    private final Kiln kiln = new Kiln(20.01, 23.03);

    @Test
    void isNear() {
        assertEquals(21.5, kiln.mean(), 0.05);
    }

    @Test
    void areNear() {
        assertArrayEquals(new double[] {10, 11.5}, kiln.cooled(), 0.05);
    }

    @Test
    void isReadOffAText() {
        assertThat(kiln.opened(LocalDate.of(2024, 4, 30))).isEqualTo("2024-05-02");
    }

    @Test
    void wouldHaveAskedForAClass() {
        assertThatThrownBy(() -> kiln.load(-1)).hasNoCause().isInstanceOf(IllegalArgumentException.class).hasMessage("-1 pots");
    }

    @Test
    void asksForNoClass() {
        assertThatThrownBy(() -> kiln.load(-1)).hasMessage("-1 pots");
        assertThat(kiln.mean()).isInstanceOf(IllegalArgumentException.class);
    }
}
"#;

/// What is in the place of what stands between two marks, in the repaired program.
const REPAIRS: [(&str, &str); 4] = [
    ("/* MEAN */ + 10/* MEAN */", ""),
    ("/* COOLED */3/* COOLED */", "2"),
    ("/* OPENED */minusDays/* OPENED */", "plusDays"),
    ("/* LOAD */> 100/* LOAD */", "< 0"),
];

#[test]
fn what_an_assertion_says_beside_the_value_stays() {
    let mut repaired = KILN.to_owned();
    for (broken, right) in REPAIRS {
        repaired = repaired.replace(broken, right);
    }
    let program = Repairable {
        package: "kiln",
        broken: &[("Kiln", KILN)],
        repaired: &[("Kiln", &repaired)],
        tests: &[("KilnTest", TEST)],
        files: &[],
    };
    program.tried(&["detail=boundary"]).assert_flips(&[
        ("isNear", ", 0.05);"),
        ("areNear", ", 0.05);"),
        ("isReadOffAText", ".isEqualTo(\"2024-05-02\");"),
        (
            "wouldHaveAskedForAClass",
            "assertThrows(IllegalArgumentException.class, () -> ",
        ),
        ("asksForNoClass", "assertThrows(Throwable.class, () -> "),
    ]);
}
