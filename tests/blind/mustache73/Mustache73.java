package mustache73;

import com.github.mustachejava.DefaultMustacheFactory;
import com.github.mustachejava.Mustache;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;

/** Fills a template with an object that has no text. */
public class Mustache73 {
    private Mustache73() {
    }

    /** What fills the template. */
    public static class Scope {
        /** Has no text. */
        public Object property = new Object() {
            @Override
            public String toString() {
                return null;
            }
        };
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws IOException {
        Mustache mustache = new DefaultMustacheFactory().compile(new StringReader("{{property}}"), "");
        StringWriter writer = new StringWriter();
        mustache.execute(writer, new Scope()).flush();
        System.out.println("[" + writer + "]");
    }
}
