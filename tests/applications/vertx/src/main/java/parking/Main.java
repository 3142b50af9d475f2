package parking;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/** What parking costs, by HTTP. */
public class Main extends AbstractVerticle {
    private final Tariff tariff = new Tariff();

    @Override
    public void start() {
        Router router = Router.router(vertx);
        router.get("/fee/:zone/:minutes").handler(this::fee);
        vertx.createHttpServer().requestHandler(router).listen(Integer.getInteger("port"), "127.0.0.1");
    }

    private void fee(RoutingContext context) {
        Duration parked = Duration.ofMinutes(Long.parseLong(context.pathParam("minutes")));
        long cents = tariff.cents(context.pathParam("zone"), parked);
        context.json(new JsonObject().put("cents", cents));
    }

    public static void main(String[] args) {
        Vertx.vertx().deployVerticle(new Main());
    }
}
