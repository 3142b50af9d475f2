package client;

import java.nio.file.Files;
import load.Http;
import load.Load;
import tickets.Server;

/** Starts the server and books. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        int port = Http.freePort();
        java.util.logging.LogManager.getLogManager().reset();
        Server.main(new String[] {Integer.toString(port), Files.createTempDirectory("tickets").toString()});
        Load.run(args, number -> new Customer(new Http(port)));
        System.exit(0);
    }

    private record Customer(Http http) implements Load.Client {
        @Override
        public boolean good(int n) throws Exception {
            String of = "/tickets?customer=c" + n % 211;
            if (n % 6 == 5) {
                return http.get(of) == 200;
            }
            if (n % 6 == 4) {
                return http.post(of + "&show=opera" + n % 7 + "&seats=0&action=cancel", "") == 200;
            }
            if (n % 997 == 3) {
                return http.post(of + "&show=studio" + n / 2000 + "&seats=2", "") != 500;
            }
            int status = http.post(of + "&show=opera" + n % 7 + "&seats=2", "");
            return status == 201 || status == 409;
        }

        @Override
        public boolean bad() throws Exception {
            String of = "/tickets?customer=last&show=studio-jazz&seats=";
            return http.post(of + 4, "") == 201 && http.post(of + 2, "") == 500;
        }

        @Override
        public void close() throws Exception {
            http.close();
        }
    }
}
