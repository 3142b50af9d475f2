package jinsi.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CommandOutputTest {
    private static final List<String> LINES = Arrays.asList(
            "writing a minimal test of each failed test",
            "test     shop.CartTest.sum",
            "failure  java.lang.ArithmeticException: / by zero, at Cart.averagePrice(Cart.java:26)",
            "keep     none. The failed test is as small as it can be.",
            "look at  Cart.java:26",
            "test     shop.CartTest.average",
            "         new Cart().averagePrice();",
            "keep     /shop/CartLevel1Test.java (needs Mockito)",
            "report   file:///shop/index.html");

    private final List<String> info = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();

    @Test
    void aQuietBuildNamesTheTestsToKeep() {
        LINES.forEach(new CommandOutput(true, info::add, errors::add));
        assertEquals(Collections.emptyList(), info);
        String kept = "[jinsi] shop.CartTest.average failed. Its minimal test: /shop/CartLevel1Test.java (needs Mockito)";
        assertEquals(Collections.singletonList(kept), errors);
    }

    @Test
    void allOthersShowEveryLine() {
        LINES.forEach(new CommandOutput(false, info::add, errors::add));
        assertEquals(LINES.stream().map(line -> "[jinsi] " + line).collect(Collectors.toList()), info);
        assertEquals(Collections.emptyList(), errors);
    }
}
