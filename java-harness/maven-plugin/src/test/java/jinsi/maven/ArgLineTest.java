package jinsi.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ArgLineTest {
    private static ArgLine configured(String arguments) {
        return new ArgLine(arguments, null);
    }

    @Test
    void theDefaultTakesTheAgent() {
        assertTrue(configured(null).takes("argLine"));
        assertFalse(configured(null).takes("other"));
        assertFalse(new ArgLine(null, "-Xmx1g").takes("argLine"), "the command line goes before properties of the project");
    }

    @Test
    void argumentsThatNameThePropertyTakeTheAgent() {
        assertTrue(configured("@{argLine} -Xmx1g").takes("argLine"));
        assertTrue(configured("-Xmx1g ${argLine}").takes("argLine"));
        assertTrue(new ArgLine("@{argLine}", "-Xmx1g").takes("argLine"));
        assertTrue(configured("@{mine}").takes("mine"));
        assertFalse(configured("-Xmx1g").takes("argLine"));
        assertFalse(configured("@{argLines}").takes("argLine"));
    }

    @Test
    void othersGetItBeforeThem() {
        ArgLine own = configured("\n  -Xmx1g\n  -ea\n");
        assertEquals("${jinsi.internal.agent} -Xmx1g\n  -ea", own.withAgent());
        assertTrue(configured(own.withAgent()).takes("argLine"));
        assertEquals("${jinsi.internal.agent} ${argLine}", new ArgLine(null, "-Xmx1g").withAgent());
    }

    @Test
    void aPropertyAloneMayHaveNoValue() {
        assertEquals(Optional.of("surefireArgLine"), configured(" ${surefireArgLine} ").needs());
        assertEquals(Optional.empty(), configured("${one} -ea").needs());
        assertEquals(Optional.empty(), configured("${one} ${two}").needs());
        assertEquals(Optional.of("argLine"), new ArgLine(null, "-ea").needs());
    }

    @Test
    void theAdviceIsReadyToPaste() {
        ArgLine own = configured("-Xmx1g\n -ea");
        assertTrue(own.advice("argLine", "3.2.5").endsWith("<argLine>@{argLine} -Xmx1g -ea</argLine>"));
        assertTrue(own.advice("argLine", "2.17").contains("@{argLine}"));
        assertTrue(own.advice("argLine", null).contains("@{argLine}"));
        assertTrue(own.advice("argLine", "2.12.4").endsWith("<argLine>${argLine} -Xmx1g -ea</argLine>"));
        String userProperty = new ArgLine(null, "-Xmx1g").advice("argLine", "3.2.5");
        assertTrue(userProperty.startsWith("-DargLine") && userProperty.contains("<argLine>@{argLine} -Xmx1g</argLine>"), userProperty);
    }
}
