//! Lists and arrays of a test's own that the program fills: nothing gives them to the test, which asserts them as they are.

use super::repairs::Repairable;

/// `/* … */` is replaced in the repaired one.
const CHOIR: &str = r#"package song;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

public class Choir {
    private final List<String> names;

    public Choir(List<String> names) {
        this.names = names;
    }

    public void list(Collection<String> to) {
        for (String name : names) {
            if (/* LIST */!name.isBlank() && name.length() > 3/* LIST */) {
                to.add(name);
            }
        }
    }

    public void eachName(Consumer<String> sink) {
        for (int i = /* EACH */1/* EACH */; i < names.size(); i++) {
            sink.accept(names.get(i));
        }
    }

    public void lengths(int[] to) {
        for (int i = 0; i < to.length; i++) {
            to[i] = names.get(i).length()/* LENGTH */ + i/* LENGTH */;
        }
    }

    public void count(Map<Character, Integer> to) {
        for (String name : names) {
            to.merge(name.charAt(0), /* COUNT */2/* COUNT */, Integer::sum);
        }
    }
}
"#;

const TEST: &str = r#"package song;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChoirTest {
    private final Choir choir = new Choir(List.of("Ida", "Boris"));

    @Test
    void fillsAList() {
        List<String> names = new ArrayList<>();
        names.add("Dora");
        choir.list(names);
        assertEquals(List.of("Dora", "Ida", "Boris"), names);
    }

    @Test
    void tellsAFunction() {
        List<String> names = new ArrayList<>();
        choir.eachName(name -> names.add(name));
        assertIterableEquals(List.of("Ida", "Boris"), names);
    }

    @Test
    void fillsAnArray() {
        int[] lengths = new int[2];
        choir.lengths(lengths);
        assertArrayEquals(new int[] {3, 5}, lengths);
    }

    @Test
    void fillsAMap() {
        Map<Character, Integer> letters = new TreeMap<>();
        choir.count(letters);
        assertEquals(Map.of('B', 1, 'I', 1), letters);
    }

    @Test
    void fillsAListForAChain() {
        List<String> names = new ArrayList<>();
        names.add("Dora");
        choir.list(names);
        assertThat(names).isNotEmpty().containsExactly("Dora", "Ida", "Boris");
    }

    @Test
    void fillsAnArrayForAChain() {
        int[] lengths = new int[2];
        choir.lengths(lengths);
        assertThat(lengths).hasSize(2).containsExactly(3, 5);
    }

    /** What it compares it has computed of what was filled. */
    @Test
    void computesOfAMap() {
        Map<Character, Integer> letters = new TreeMap<>();
        choir.count(letters);
        assertEquals(List.of("I1"), List.of("I" + letters.get('I')));
    }
}
"#;

#[test]
fn what_the_program_fills_is_asserted_as_the_test_did() {
    let repaired = CHOIR
        .replace(
            "/* LIST */!name.isBlank() && name.length() > 3/* LIST */",
            "!name.isBlank()",
        )
        .replace("/* EACH */1/* EACH */", "0")
        .replace("/* LENGTH */ + i/* LENGTH */", "")
        .replace("/* COUNT */2/* COUNT */", "1");
    let program = Repairable {
        package: "song",
        broken: &[("Choir", CHOIR)],
        repaired: &[("Choir", &repaired)],
        tests: &[("ChoirTest", TEST)],
        files: &[],
    };
    let tried = program.tried(&["detail=boundary"]);
    tried.assert_flips(&[
        ("fillsAList", "choir.list("),
        ("tellsAFunction", "choir.eachName("),
        ("fillsAnArray", "choir.lengths("),
        ("fillsAMap", "choir.count("),
        (
            "fillsAListForAChain",
            "Assertions.assertThat(arrayList).isNotEmpty().containsExactly(\"Dora\", \"Ida\", \"Boris\");",
        ),
        (
            "fillsAnArrayForAChain",
            "Assertions.assertThat(ints).hasSize(2).containsExactly(3, 5);",
        ),
    ]);
    // A constant in place of what the test computed would fail whatever is repaired.
    let kept = tried.kept("computesOfAMap");
    assert!(kept.is_none_or(|test| test.contains("choir.count(")));
}
