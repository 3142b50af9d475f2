package client;

import load.Http;
import load.Load;
import shipping.ShippingServer;
import shipping.Zone;

/** Starts the server, asks for quotes and books. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        int port = Http.freePort();
        ShippingServer.main(new String[] {Integer.toString(port)});
        Load.run(args, number -> new Customer(new Http(port)));
        System.exit(0);
    }

    private record Customer(Http http) implements Load.Client {
        @Override
        public boolean good(int n) throws Exception {
            Zone zone = Zone.values()[n % 4];
            if (n % 20 == 11) {
                return http.get("/quote?grams=" + (100 + n * 37 % 7_000) + "&zone=LOCAL&book=true") == 200;
            }
            return http.get("/quote?grams=" + (1 + n * 53 % 19_000) / 100 * 100 + "&zone=" + zone) == 200;
        }

        @Override
        public boolean bad() throws Exception {
            for (int i = 0; i < 4; i++) {
                if (http.get("/quote?grams=450000&zone=COUNTRY&book=true") != 200) {
                    return false;
                }
            }
            return http.get("/quote?grams=450000&zone=COUNTRY&book=true") == 0;
        }

        @Override
        public void close() throws Exception {
            http.close();
        }
    }
}
