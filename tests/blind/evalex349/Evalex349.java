package evalex349;

import com.ezylang.evalex.EvaluationException;
import com.ezylang.evalex.Expression;
import com.ezylang.evalex.parser.ParseException;
import java.util.Map;

/** Evaluates expressions with variables that have fields. */
public class Evalex349 {
    private Evalex349() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws ParseException {
        Map<String, Object> vars = Map.of("one", Map.of("prop", 2));
        for (String text : new String[] {"vars.one.prop + 1", "vars.sub.prop"}) {
            try {
                System.out.println(new Expression(text).with("vars", vars).evaluate().getStringValue());
            } catch (EvaluationException e) {
                System.out.println("no value: " + e.getMessage());
            }
        }
    }
}
