package client;

import feed.FeedServer;
import load.Http;
import load.Load;

/** Starts the server, measures and asks. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        int port = Http.freePort();
        FeedServer.main(new String[] {Integer.toString(port)});
        Load.run(args, number -> new Reader(new Http(port)));
        System.exit(0);
    }

    private record Reader(Http http) implements Load.Client {
        @Override
        public boolean good(int n) throws Exception {
            String sensor = "/s" + n % 37;
            if (n % 4 == 3) {
                http.post(sensor, Integer.toString(n));
                return http.get(sensor + "?last=" + (1 + n % 30)) == 200;
            }
            return http.post(sensor, 15 + n % 13 + "." + n % 10) == 200;
        }

        @Override
        public boolean bad() throws Exception {
            int status = http.get("/cellar?last=5");
            http.close();
            return status == 500;
        }

        @Override
        public void close() throws Exception {
            http.close();
        }
    }
}
