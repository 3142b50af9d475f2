package jinsi.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StackSizeTest {
    private static final Map<String, String> NO_VARIABLES = Collections.emptyMap();

    private static Optional<String> beside(String... texts) {
        return StackSize.argument(Arrays.asList(texts), NO_VARIABLES);
    }

    @Test
    void probesGetRoom() {
        assertEquals(Optional.of("-Xss1536k"), beside());
        assertEquals(Optional.of("-Xss1536k"), beside("-Xmx1g @{argLine} -Dmail=a@b.org", "UTF-8", "@", "@project.version@"));
    }

    @Test
    void aChosenSizeStays() {
        assertEquals(Optional.empty(), beside("-Xmx1g", "-ea -Xss8m"));
        assertEquals(Optional.empty(), beside("-XX:ThreadStackSize=2048"));
        assertEquals(Optional.empty(), beside("-ea @target/test.args"));
        assertEquals(Optional.empty(), StackSize.argument(Collections.emptyList(), Collections.singletonMap("JDK_JAVA_OPTIONS", "-Xss4m")));
        assertTrue(StackSize.argument(Collections.emptyList(), Collections.singletonMap("OTHER", "-Xss4m")).isPresent());
    }
}
