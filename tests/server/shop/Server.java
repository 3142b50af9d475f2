package shop;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/**
 * An embedded Tomcat with one servlet, the shop's. Says its port on standard output, and ends with its standard input.
 *
 * <p>It starts the rest and then waits for ever, so it is not recorded: {@code observe=shop.*,exclude=shop.Server}.
 */
public final class Server {
    /** Requests at a time. */
    private static final String THREADS = "8";

    private Server() {}

    /** Serves until standard input ends. */
    public static void main(String[] args) throws Exception {
        Logger.getLogger("org.apache").setLevel(Level.OFF);
        File base = Files.createTempDirectory("shop").toFile();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(base.getPath());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("maxThreads", THREADS);
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "orders", new OrderServlet(new Catalog()));
        context.addServletMappingDecoded("/order", "orders");
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
