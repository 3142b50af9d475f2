package orders;

import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/** Starts the service on a free port of the loopback device, which it says first of all. */
@SpringBootApplication
public class Server {
    public static void main(String[] args) {
        SpringApplication application = new SpringApplication(Server.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setDefaultProperties(
                Map.of("server.address", "127.0.0.1", "server.port", "0", "logging.level.root", "off"));
        ApplicationListener<WebServerInitializedEvent> started =
                event -> System.out.println("port " + event.getWebServer().getPort());
        application.addListeners(started);
        application.run(args);
    }
}
