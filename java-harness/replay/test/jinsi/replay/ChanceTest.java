package jinsi.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** What differs in every run is left out of a message. */
final class ChanceTest {
    @Test
    void whatDiffersInEveryRunIsLeftOut() {
        assertEquals("no cow Cow@# in #", Chance.without("no cow Cow@1f2a in 1712345678901"));
        assertEquals("1234 cows", Chance.without("1234 cows"));
        assertEquals("#/herd/cows.txt is empty", Chance.without("/home/me/target/junit4711000/herd/cows.txt is empty"));
        assertEquals("'#/c'", Chance.without("'/tmp/test99999/a/b12345678/c'"));
        assertEquals("#: no herd", Chance.without("/tmp/junit4711000: no herd"));
        assertEquals("file:#/a", Chance.without("file:///tmp/junit4711000/a"));
        assertEquals("Cow@#/or#", Chance.without("Cow@1f/or12345"));
        assertEquals("either/or#", Chance.without("either/or12345"));
        assertEquals("/etc/hosts", Chance.without("/etc/hosts"));
        assertNull(Chance.without(null));
    }
}
