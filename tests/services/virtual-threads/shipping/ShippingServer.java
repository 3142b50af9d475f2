package shipping;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Says what it costs to send a parcel. Each request, and each carrier that is asked, has a virtual thread. */
public final class ShippingServer {
    private ShippingServer() {}

    public static void main(String[] args) throws IOException {
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        List<Carrier> carriers = List.of(new Post(), new Courier(40), new Freight(2_000));
        QuoteService quotes = new QuoteService(carriers, threads, new QuoteCache());
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 100);
        server.createContext("/quote", new QuoteHandler(quotes));
        server.setExecutor(threads);
        server.start();
    }
}
