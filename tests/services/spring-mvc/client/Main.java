package client;

import load.Http;
import load.Load;
import orders.OrdersApplication;

/** Starts the application and orders. */
public final class Main {
    private static final String[] SKUS = {"tea", "pan", "cup", "pot", "jam"};
    private static final String[] COUPONS = {"null", "\"SPRING\"", "null", "\"FRIENDS\""};

    private Main() {}

    public static void main(String[] args) throws Exception {
        int port = Http.freePort();
        OrdersApplication.main(new String[] {"--server.port=" + port, "--server.address=127.0.0.1", "--spring.main.banner-mode=off",
            "--logging.level.root=off"});
        Load.run(args, number -> new Customer(new Http(port)));
        System.exit(0);
    }

    private record Customer(Http http) implements Load.Client {
        @Override
        public boolean good(int n) throws Exception {
            if (n % 5 == 4) {
                int status = http.get("/orders/" + (1000 + n / 5));
                return status == 200 || status == 404;
            }
            String lines = "{\"sku\":\"" + SKUS[n % 5] + "\",\"quantity\":" + (1 + n % 3) + "},{\"sku\":\"" + SKUS[(n / 5) % 5]
                    + "\",\"quantity\":2}";
            return http.post("/orders", "{\"customer\":\"c" + n % 97 + "\",\"lines\":[" + lines + "],\"coupon\":" + COUPONS[n % 4] + "}") == 201;
        }

        @Override
        public boolean bad() throws Exception {
            String document = "{\"customer\":\"c7\",\"lines\":[{\"sku\":\"tea-sample\",\"quantity\":1}],\"coupon\":\"SPRING\"}";
            return http.post("/orders", document) == 500;
        }

        @Override
        public void close() throws Exception {
            http.close();
        }
    }
}
