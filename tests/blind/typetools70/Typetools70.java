package typetools70;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.arrayContaining;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import net.jodah.typetools.TypeResolver;

/** Asks for the types that a function takes and returns. */
public class Typetools70 {
    private Typetools70() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Map<String, Integer> ages = new HashMap<String, Integer>() { };
        assertThat(TypeResolver.resolveRawArguments(Map.class, ages.getClass()), arrayContaining(String.class, Integer.class));
        Function<String, Integer> length = text -> Integer.valueOf(text.length());
        assertThat(TypeResolver.resolveRawArguments(Function.class, length.getClass()), arrayContaining(String.class, Integer.class));
    }
}
