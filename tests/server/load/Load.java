package load;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Orders from a server on this machine, over a few connections that stay open. Prints one line of JSON.
 *
 * <p>{@code load.Load PORT CONNECTIONS WARM_UP SECONDS RATE}: so many requests a second in all, 0 for as many as there can be. Time is
 * measured from when a request was due; what is due in the seconds of the warm-up, when this program itself is slow, does not count.
 * {@code load.Load PORT TARGET}: one request; prints the status.
 */
public final class Load {
    private static final String[] ARTICLES = {"apple", "pear", "plum", "cherry", "quince", "medlar", "grape", "fig"};
    private static final String[] QUANTITIES = {"1", "12", "2.5", "0x10", "3L", "1e1", "4.25f", "7"};
    private static final int CUSTOMERS = 500;
    private static final int LINES = 6;
    private static final long SECOND = 1_000_000_000L;

    private Load() {}

    /** See the class comment. */
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        if (args.length == 2) {
            try (Connection connection = new Connection(port)) {
                System.out.println(connection.get(args[1]));
            }
            return;
        }
        int connections = Integer.parseInt(args[1]);
        long warmUp = (long) (Double.parseDouble(args[2]) * SECOND);
        long time = (long) (Double.parseDouble(args[3]) * SECOND);
        double rate = Double.parseDouble(args[4]) / connections;
        List<Client> clients = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < connections; i++) {
            Client client = new Client(port, i, start, warmUp, time, rate);
            clients.add(client);
            client.start();
        }
        for (Client client : clients) {
            client.join();
        }
        print(clients, (System.nanoTime() - start - warmUp) / (double) SECOND);
    }

    private static void print(List<Client> clients, double seconds) {
        int count = 0;
        int errors = 0;
        for (Client client : clients) {
            count += client.count;
            errors += client.errors;
        }
        long[] all = new long[count];
        int at = 0;
        for (Client client : clients) {
            System.arraycopy(client.took, 0, all, at, client.count);
            at += client.count;
        }
        Arrays.sort(all);
        System.out.printf("{\"requests\":%d,\"errors\":%d,\"seconds\":%.3f,\"p50_us\":%.1f,\"p99_us\":%.1f}%n", count, errors,
            seconds, percentile(all, 0.5) / 1e3, percentile(all, 0.99) / 1e3);
    }

    private static long percentile(long[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * part))];
    }

    /** One connection's requests. */
    private static final class Client extends Thread {
        private final int port;
        private final Random random;
        private final long start;
        private final long warm;
        private final long end;
        private final double rate;
        private long[] took = new long[1 << 12];
        private int count;
        private int errors;

        Client(int port, int seed, long start, long warmUp, long time, double rate) {
            this.port = port;
            this.random = new Random(seed);
            this.start = start;
            this.warm = start + warmUp;
            this.end = warm + time;
            this.rate = rate;
        }

        @Override
        public void run() {
            try (Connection connection = new Connection(port)) {
                for (long n = 0;; n++) {
                    long due = rate == 0 ? System.nanoTime() : start + (long) (n / rate * SECOND);
                    if (due >= end) {
                        break;
                    }
                    for (long left; (left = due - System.nanoTime()) > 0;) {
                        LockSupport.parkNanos(left);
                    }
                    if (connection.get(target()) != 200) {
                        errors++;
                    }
                    if (due >= warm) {
                        took(System.nanoTime() - due);
                    }
                }
            } catch (IOException e) {
                errors++;
            }
        }

        private String target() {
            StringBuilder target = new StringBuilder("/order?customer=customer").append(random.nextInt(CUSTOMERS)).append("&lines=");
            for (int i = 0; i < LINES; i++) {
                target.append(i == 0 ? "" : ",").append(ARTICLES[random.nextInt(ARTICLES.length)]).append(':')
                    .append(QUANTITIES[random.nextInt(QUANTITIES.length)]);
            }
            return target.toString();
        }

        private void took(long nanos) {
            if (count == took.length) {
                took = Arrays.copyOf(took, count * 2);
            }
            took[count++] = nanos;
        }
    }

    /** A connection to the server that stays open. */
    private static final class Connection implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        Connection(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), 1 << 14);
            out = socket.getOutputStream();
        }

        /** Asks for {@code target} and reads all that is answered; the status. */
        int get(String target) throws IOException {
            out.write(("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            int status = Integer.parseInt(line().split(" ")[1]);
            int length = -1;
            for (String header; !(header = line()).isEmpty();) {
                String[] parts = header.toLowerCase(java.util.Locale.ROOT).split(": *", 2);
                if (parts[0].equals("content-length")) {
                    length = Integer.parseInt(parts[1]);
                }
            }
            if (length >= 0) {
                in.skipNBytes(length);
            } else {
                for (int size; (size = Integer.parseInt(line(), 16)) > 0;) {
                    in.skipNBytes(size);
                    line();
                }
                line();
            }
            return status;
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c; (c = in.read()) != '\n';) {
                if (c < 0) {
                    throw new EOFException();
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
