package thymeleaf588;

import static org.hamcrest.CoreMatchers.containsString;
import static org.hamcrest.MatcherAssert.assertThat;

import java.util.Map;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.context.Context;
import org.thymeleaf.context.IExpressionContext;
import org.thymeleaf.linkbuilder.StandardLinkBuilder;

/** Renders a page with a script. */
public class Thymeleaf588 {
    private static final String TEMPLATE = String.join("\n",
            "<!DOCTYPE html>",
            "<html xmlns:th=\"http://www.thymeleaf.org\">",
            "<body>",
            "\tHello",
            "\t<script type=\"text/javascript\" th:inline=\"javascript\">",
            "\t\t   function startCheckSessionTimer() {",
            "\t\t\t   return setInterval(function() {",
            "\t\t        \tconsole.log([[@{'/someUrl'}]]);",
            "\t\t        }, [[60*1000]]);",
            "\t\t   }",
            "\t</script>",
            "</body>",
            "</html>",
            "");

    private Thymeleaf588() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        TemplateEngine engine = new TemplateEngine();
        engine.setLinkBuilder(new RootLinkBuilder());
        String output = engine.process(TEMPLATE, new Context());
        assertThat(output, containsString("}, 60000);"));
        assertThat(output, containsString("console.log(\"/someUrl\");"));
    }

    /** Has links of an application that is at the root of its server. */
    static class RootLinkBuilder extends StandardLinkBuilder {
        @Override
        protected String computeContextPath(IExpressionContext context, String base, Map<String, Object> parameters) {
            return "";
        }
    }
}
