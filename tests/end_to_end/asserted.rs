//! What a failed test asserted is read off its code: what it looked at, what it computed of that, and in which order it wrote the two values.

use super::repairs::Repairable;

const APPLE: &str = r#"package orchard;

public class Apple implements Comparable<Apple> {
    private final String sort;
    private final int grams;

    public Apple(String sort, int grams) {
        this.sort = sort;
        this.grams = grams;
    }

    public String sort() {
        return sort;
    }

    public int grams() {
        return grams;
    }

    @Override
    public int compareTo(Apple other) {
        return Integer.compare(/* BACK */grams, other.grams/* BACK */);
    }
}
"#;

/// `/* … */` is replaced in the repaired one.
const TREE: &str = r#"package orchard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

public class Tree {
    private final List<Apple> apples = new ArrayList<>();
    private int picked;

    public Tree with(String sort, int grams) {
        apples.add(new Apple(sort, grams));
        return this;
    }

    public int size() {
        return apples.size()/* SIZE */ + 1/* SIZE */;
    }

    public Optional<Apple> heaviest() {
        return apples.stream()./* HEAVIEST */min/* HEAVIEST */(Comparator.comparingInt(Apple::grams));
    }

    public List<Apple> above(int grams) {
        List<Apple> above = new ArrayList<>();
        for (Apple apple : apples) {
            if (apple.grams() /* ABOVE */>=/* ABOVE */ grams) {
                above.add(apple);
            }
        }
        return above;
    }

    public Object view(boolean counted) {
        return /* VIEW */!/* VIEW */counted ? new Integer[] {size()} : apples;
    }

    public String describe(String name, List<String> words) {
        return name + /* DESCRIBE */words/* DESCRIBE */;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tree tree && tree.size() /* EQUALS */>/* EQUALS */ size();
    }

    @Override
    public int hashCode() {
        return size();
    }

    public Apple pick() {
        return apples.get(picked/* PICK *//* PICK */);
    }

    public void putBack() {
        if (picked == 0) {
            throw new IllegalStateException("nothing was picked");
        }
        picked--;
    }
}
"#;

const TEST: &str = r#"package orchard;

import static org.junit.jupiter.api.Assertions.*;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TreeTest {
    private Tree tree;

    @BeforeEach
    void grow() {
        tree = new Tree().with("elstar", 150).with("boskoop", 250).with("gala", 150);
    }

    @Test
    void wroteTheTwoTheOtherWayRound() {
        assertEquals(tree.size(), 3);
    }

    @Test
    void takesOutOfWhatItIsGiven() {
        assertEquals(250, tree.heaviest().get().grams());
    }

    @Test
    void asksForAText() {
        String sort = tree.above(150).get(0).sort();
        assertTrue("boskoop".equals(sort), "sort");
    }

    @Test
    void takesOutOfAList() {
        assertEquals("boskoop", tree.above(150).get(0).sort());
    }

    @Test
    void asksForAClass() {
        Object view = tree.view(true);
        assertTrue(view instanceof Integer[]);
    }

    @Test
    void isComparedWithAnother() {
        Tree other = new Tree().with("elstar", 150).with("boskoop", 250).with("gala", 150);
        assertEquals(other, tree);
    }

    @Test
    void addsUp() {
        int sum = 0;
        for (Apple apple : tree.above(150)) {
            sum += apple.grams();
        }
        assertEquals(250, sum);
    }

    @Test
    void hasThemSorted() {
        Set<Apple> sorted = new TreeSet<>(List.of(new Apple("elstar", 150), new Apple("gala", 140)));
        assertEquals("gala", sorted.iterator().next().sort());
    }

    @Test
    void asksTheFirstOfThemForAText() {
        Set<Apple> sorted = new TreeSet<>(List.of(new Apple("elstar", 150), new Apple("gala", 140)));
        assertTrue("gala".equals(sorted.iterator().next().sort()));
    }

    static Stream<Arguments> words() {
        return Stream.of(Arguments.of("tree ", List.of("tall")));
    }

    @ParameterizedTest
    @MethodSource("words")
    void isGivenAList(String name, List<String> words) {
        assertEquals("tree tall", tree.describe(name, words));
    }

    @Test
    void isGivenBackWhatWasPicked() {
        tree.pick();
        tree.putBack();
        assertEquals("elstar", tree.pick().sort());
    }

    /** In each JVM it is another text. */
    @Test
    void goesByIdentity() {
        Set<Apple> apples = new HashSet<>();
        for (int grams = 0; grams < 40; grams++) {
            apples.add(new Apple("a" + grams, grams));
        }
        StringBuilder all = new StringBuilder();
        for (Apple apple : apples) {
            all.append(apple.sort());
        }
        assertEquals("", all.toString());
    }
}
"#;

/// What is in the place of what stands between two marks, in the repaired program.
const REPAIRS: [(&str, &str); 8] = [
    ("/* EQUALS */", "=="),
    ("/* SIZE */", ""),
    ("/* HEAVIEST */", "max"),
    ("/* ABOVE */", ">"),
    ("/* VIEW */", ""),
    ("/* DESCRIBE */", "String.join(\", \", words)"),
    ("/* PICK */", "++"),
    ("/* BACK */", "grams, other.grams"),
];

/// The source with the defects, or repaired.
fn repaired(source: &str) -> String {
    let mut source = source.to_owned();
    for (mark, repair) in REPAIRS {
        let parts: Vec<&str> = source.split(mark).collect();
        if let [head, _, tail] = parts[..] {
            source = format!("{head}{repair}{tail}");
        }
    }
    source
}

#[test]
fn what_a_test_asserted_is_read_off_its_code() {
    // Backward: the lighter one comes last.
    let apple = APPLE.replace(
        "/* BACK */grams, other.grams/* BACK */",
        "/* BACK */other.grams, grams/* BACK */",
    );
    let (right_apple, right_tree) = (repaired(&apple), repaired(TREE));
    let program = Repairable {
        package: "orchard",
        broken: &[("Apple", &apple), ("Tree", TREE)],
        repaired: &[("Apple", &right_apple), ("Tree", &right_tree)],
        tests: &[("TreeTest", TEST)],
        files: &[],
    };
    let tried = program.tried(&["detail=boundary"]);
    tried.assert_flips(&[
        ("wroteTheTwoTheOtherWayRound", "assertEquals(3, "),
        ("takesOutOfWhatItIsGiven", ".heaviest()"),
        ("asksForAText", r#"assertEquals("boskoop", "#),
        ("takesOutOfAList", ".above(150)"),
        ("asksForAClass", "assertInstanceOf(Integer[].class, "),
        ("isComparedWithAnother", ".equals("),
        ("isGivenAList[1]", ".describe(\"tree \", "),
        // Without the call that picks, nothing may be put back.
        ("isGivenBackWhatWasPicked", ".pick();"),
    ]);
    // A sum is nobody's answer, and how a set is sorted is not seen in what is in it. What goes by identity cannot be replayed, which is no matter of
    // the others'.
    for name in [
        "addsUp",
        "hasThemSorted",
        "asksTheFirstOfThemForAText",
        "goesByIdentity",
    ] {
        assert_eq!(tried.kept(name), None, "{name}");
    }
    let why = tried.not_expanded("goesByIdentity").unwrap();
    assert!(why.starts_with("the replay diverged: "), "{why}");
    assert_eq!(tried.not_expanded("addsUp"), None);
}
