package client;

import load.Http;
import load.Load;
import reviews.ReviewsApplication;

/** Starts the application, writes reviews and reads them. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        int port = Http.freePort();
        ReviewsApplication.main(new String[] {"--server.port=" + port, "--server.address=127.0.0.1", "--spring.main.banner-mode=off",
            "--logging.level.root=off"});
        Load.run(args, number -> new Reader(new Http(port)));
        System.exit(0);
    }

    private record Reader(Http http) implements Load.Client {
        @Override
        public boolean good(int n) throws Exception {
            String product = "/products/p" + n % 211;
            if (n % 5 == 4) {
                return http.post(product + "/reviews", review("a" + n % 31, 1 + n % 5, "number " + n)) == 201;
            }
            return http.get(product + (n % 5 == 3 ? "/reviews" : "/rating")) == 200;
        }

        @Override
        public boolean bad() throws Exception {
            String product = "/products/pills";
            return http.post(product + "/reviews", review("bot", 5, "http://buy.it")) == 201
                    && http.get(product + "/rating") == 200
                    && http.delete(product + "/reviews") == 200
                    && http.get(product + "/rating") == 500;
        }

        private static String review(String author, int stars, String text) {
            return "{\"author\":\"" + author + "\",\"stars\":" + stars + ",\"text\":\"" + text + "\"}";
        }

        @Override
        public void close() throws Exception {
            http.close();
        }
    }
}
