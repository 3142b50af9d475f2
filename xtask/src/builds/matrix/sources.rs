//! The program of the builds, and its three tests as each framework has them. One fails, by an exception out of the program.

use super::choices::Framework;

/// The program, with its defect.
pub(super) const PROGRAM: &str = "package shop;

import java.util.ArrayList;
import java.util.List;

public class Cart {
    private final List<Integer> prices = new ArrayList<>();

    public void add(int price) {
        prices.add(price);
    }

    public void removeAll() {
        prices.clear();
    }

    public int total() {
        int total = 0;
        for (int price : prices) {
            total += price;
        }
        return total;
    }

    public int averagePrice() {
        return total() / prices.size();
    }
}
";

/// The program without it.
pub(super) fn repaired() -> String {
    let (broken, whole) = (
        "        return total() /",
        "        return prices.isEmpty() ? 0 : total() /",
    );
    PROGRAM.replacen(broken, whole, 1)
}

/// The language that a framework's tests are in: name of the directory and of the files.
pub(super) fn language(framework: Framework) -> (&'static str, &'static str) {
    match framework {
        Framework::Spock => ("groovy", "groovy"),
        Framework::Kotest => ("kotlin", "kt"),
        _ => ("java", "java"),
    }
}

/// The tests, in a class of this simple name.
pub(super) fn tests(framework: Framework, class: &str) -> String {
    match framework {
        Framework::JUnit3 => java(
            class,
            "import junit.framework.TestCase;",
            " extends TestCase",
            "",
            "test",
        ),
        Framework::JUnit4Old | Framework::JUnit4 => java(
            class,
            "import static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;",
            "",
            "    @Test\n",
            "",
        ),
        Framework::JUnit5 | Framework::JUnit6 => java(
            class,
            "import static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.Test;",
            "",
            "    @Test\n",
            "",
        ),
        Framework::TestNg6 | Framework::TestNg7 => java(
            class,
            "import static org.testng.Assert.assertEquals;\n\nimport org.testng.annotations.Test;",
            "",
            "    @Test\n",
            "",
        ),
        Framework::Spock => SPOCK.replace("CLASS", class),
        Framework::Kotest => KOTEST.replace("CLASS", class),
    }
}

fn java(class: &str, imports: &str, base: &str, annotation: &str, prefix: &str) -> String {
    JAVA.replace("IMPORTS", imports)
        .replace("CLASS", class)
        .replace("BASE", base)
        .replace("    ANNOTATION\n", annotation)
        .replace("PREFIX", prefix)
}

const JAVA: &str = "package shop;

IMPORTS

public class CLASSBASE {
    ANNOTATION
    public void PREFIXsum() {
        Cart cart = new Cart();
        cart.add(120);
        cart.add(450);
        assertEquals(570, cart.total());
    }

    ANNOTATION
    public void PREFIXaverage() {
        Cart cart = new Cart();
        cart.add(120);
        cart.add(450);
        assertEquals(285, cart.averagePrice());
    }

    ANNOTATION
    public void PREFIXaverageOfNothing() {
        Cart cart = new Cart();
        cart.add(120);
        cart.removeAll();
        assertEquals(0, cart.averagePrice());
    }
}
";

const SPOCK: &str = "package shop

import spock.lang.Specification

class CLASS extends Specification {
    def cart = new Cart()

    def 'sum'() {
        when:
        cart.add(120)
        cart.add(450)
        then:
        cart.total() == 570
    }

    def 'average'() {
        when:
        cart.add(120)
        cart.add(450)
        then:
        cart.averagePrice() == 285
    }

    def 'average of nothing'() {
        when:
        cart.add(120)
        cart.removeAll()
        then:
        cart.averagePrice() == 0
    }
}
";

const KOTEST: &str = "package shop

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class CLASS : FunSpec({
    test(\"sum\") {
        val cart = Cart()
        cart.add(120)
        cart.add(450)
        cart.total() shouldBe 570
    }

    test(\"average\") {
        val cart = Cart()
        cart.add(120)
        cart.add(450)
        cart.averagePrice() shouldBe 285
    }

    test(\"average of nothing\") {
        val cart = Cart()
        cart.add(120)
        cart.removeAll()
        cart.averagePrice() shouldBe 0
    }
})
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repaired_program_is_another_one() {
        assert_ne!(repaired(), PROGRAM);
        assert!(repaired().contains("prices.isEmpty() ? 0 : total() / prices.size()"));
    }

    #[test]
    fn every_framework_has_three_tests() {
        for framework in Framework::ALL {
            let text = super::tests(framework, "CartTest");
            assert_eq!(text.matches("570").count(), 1, "{text}");
            assert_eq!(text.matches("averagePrice").count(), 2, "{text}");
            let left = ["CLASS", "BASE", "ANNOTATION", "PREFIX", "IMPORTS"];
            assert!(!left.iter().any(|word| text.contains(word)), "{text}");
        }
    }
}
