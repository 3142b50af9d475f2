package quotes;

import java.io.IOException;
import java.nio.file.Files;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;

/** An embedded Tomcat with Spring MVC. Says its port on standard output, and ends with its standard input. */
public final class Server {
    private Server() {}

    /** Serves until standard input ends. */
    public static void main(String[] args) throws Exception {
        Logger.getLogger("org").setLevel(Level.OFF);
        String base = Files.createTempDirectory("quotes").toString();
        AnnotationConfigWebApplicationContext spring = new AnnotationConfigWebApplicationContext();
        spring.register(Setup.class, Quotes.class, Prices.class);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(base);
        tomcat.setPort(0);
        Context context = tomcat.addContext("", base);
        Tomcat.addServlet(context, "dispatcher", new DispatcherServlet(spring)).setLoadOnStartup(1);
        context.addServletMappingDecoded("/", "dispatcher");
        tomcat.start();
        System.out.println("port " + tomcat.getConnector().getLocalPort());
        System.out.flush();
        waitForEndOfInput();
        tomcat.stop();
        tomcat.destroy();
    }

    private static void waitForEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // Nothing is said there.
        }
    }
}
