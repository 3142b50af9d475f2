package tickets;

import java.io.File;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Sells tickets over HTTP. */
public final class Server {
    private Server() {}

    public static void main(String[] args) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(args[1]);
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector();
        Context context = tomcat.addContext("", new File(args[1]).getAbsolutePath());
        BoxOffice office = new BoxOffice(new Program(), new WaitingList());
        Tomcat.addServlet(context, "tickets", new TicketServlet(office));
        context.addServletMappingDecoded("/tickets", "tickets");
        tomcat.start();
    }
}
