package warehouse;

import io.javalin.Javalin;

/** What is in stock, by HTTP. */
public class Main {
    public static void main(String[] args) {
        Stock stock = new Stock();
        stock.put("tea", 40);
        stock.put("rice", 3);
        Javalin.create()
                .get("/stock/{item}", context -> context.result(stock.describe(context.pathParam("item"))))
                .get("/take/{item}/{count}", context -> {
                    stock.take(context.pathParam("item"), Integer.parseInt(context.pathParam("count")));
                    context.result("taken");
                })
                .start("127.0.0.1", Integer.parseInt(args[0]));
    }
}
