//! What the failed test handed from one call of the program to another, and how the recommended test does so, too.

use super::repairs::Repairable;

/// `/* … */` is replaced in the repaired one.
const OVEN: &str = r#"package bakery;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

public class Oven {
    private final List<Loaf> loaves = new ArrayList<>();

    public Loaf find(String kind) {
        for (int i = 0; i < loaves.size()/* FIND */ - 1/* FIND */; i++) {
            if (loaves.get(i).kind().equals(kind)) {
                return loaves.get(i);
            }
        }
        return null;
    }

    public boolean isHeavier(Loaf one, Loaf other) {
        return one.grams() > other.grams();
    }

    public void bake(String kind, BiFunction<String, Loaf, Loaf> recipe) {
        Loaf before = loaves.isEmpty() ? null : loaves.get(/* BAKE */0/* BAKE */);
        loaves.add(recipe.apply(kind, before));
    }

    public List<Loaf> loaves() {
        return loaves;
    }
}
"#;

const LOAF: &str = r#"package bakery;

public class Loaf {
    private final String kind;
    private int grams;

    public Loaf(String kind, int grams) {
        this.kind = kind;
        this.grams = grams;
    }

    public String kind() {
        return kind;
    }

    public int grams() {
        return grams;
    }

    public Loaf cut(int slice) {
        grams -= slice;
        return this;
    }
}
"#;

const LABEL: &str = r#"package bakery;

public class Label {
    private final String shop;
    private final Loaf loaf;

    public Label(String shop, Loaf loaf) {
        this.shop = shop;
        this.loaf = loaf;
    }

    public String text() {
        return shop + ": " + /* TEXT */""/* TEXT */;
    }
}
"#;

const TEST: &str = r#"package bakery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OvenTest {
    private final Oven oven = new Oven();

    /** What is found is null, and handed on. */
    @Test
    void comparesWhatItFound() {
        oven.bake("rye", (kind, before) -> new Loaf(kind, 500));
        oven.bake("spelt", (kind, before) -> new Loaf(kind, 750));
        Loaf spelt = oven.find("spelt");
        assertTrue(oven.isHeavier(spelt, oven.find("rye")));
    }

    /** A lambda makes the loaf, of what the oven gave it. */
    @Test
    void bakesLikeTheLastOne() {
        oven.bake("rye", (kind, before) -> new Loaf(kind, 500));
        oven.bake("oat", (kind, before) -> new Loaf(kind, 800));
        oven.bake("nut", (kind, before) -> new Loaf(kind, before.grams() + 10));
        assertEquals(810, oven.loaves().get(2).grams());
    }

    /** The loaf is another one than when the label was made. */
    @Test
    void labelsWhatIsLeft() {
        Loaf loaf = new Loaf("rye", 500);
        Label label = new Label("Crust", loaf);
        loaf.cut(200);
        assertEquals("Crust: 300", label.text());
    }
}
"#;

#[test]
fn what_a_call_gave_is_handed_to_the_next() {
    let repaired = OVEN
        .replace("/* FIND */ - 1/* FIND */", "")
        .replace("/* BAKE */0/* BAKE */", "loaves.size() - 1");
    let label = LABEL.replace("/* TEXT */\"\"/* TEXT */", "loaf.grams()");
    let program = Repairable {
        package: "bakery",
        broken: &[("Oven", OVEN), ("Loaf", LOAF), ("Label", LABEL)],
        repaired: &[("Oven", &repaired), ("Loaf", LOAF), ("Label", &label)],
        tests: &[("OvenTest", TEST)],
        files: &[],
    };
    let tried = program.tried(&["detail=boundary"]);
    tried.assert_flips(&[
        ("comparesWhatItFound", "oven.find("),
        ("bakesLikeTheLastOne", "oven.bake("),
        ("labelsWhatIsLeft", "loaf.cut(200)"),
    ]);
}
