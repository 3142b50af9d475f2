package digester155;

import static org.apache.commons.digester3.binder.DigesterLoader.newLoader;
import static org.junit.Assert.assertSame;

import java.net.URL;
import java.net.URLClassLoader;
import org.apache.commons.digester3.Digester;
import org.apache.commons.digester3.binder.AbstractRulesModule;

/** Makes a digester that is to use a given class loader. */
public class Digester155 {
    private Digester155() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        ClassLoader expected = new URLClassLoader(new URL[0], Digester155.class.getClassLoader());
        Digester digester = newLoader(new AbstractRulesModule() {
            @Override
            protected void configure() {
                // no rules
            }
        }).setClassLoader(expected).newDigester();
        assertSame(expected, digester.getClassLoader());
    }
}
