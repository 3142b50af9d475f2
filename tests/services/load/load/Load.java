package load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Several clients at a time make so many requests of a service. When nine in ten are made, one of them makes, in the midst of the others'
 * requests, the one that fails. In the end one line of JSON is printed.
 */
public final class Load {
    private static final int CLIENTS = 8;

    private Load() {}

    /** A client of the service. */
    public interface Client extends AutoCloseable {
        /** Makes the request of this number; true if it was answered as it should be. */
        boolean good(int number) throws Exception;

        /** Makes the request that fails; true if the service said that it failed. */
        boolean bad() throws Exception;

        @Override
        default void close() throws Exception {}
    }

    /** Makes a client. */
    public interface Clients {
        /** The client of this number. */
        Client client(int number) throws Exception;
    }

    /** Makes so many requests, {@code args[0]}. */
    public static void run(String[] args, Clients clients) throws Exception {
        run(args, CLIENTS, clients);
    }

    /** The same with so many clients. */
    public static void run(String[] args, int count, Clients clients) throws Exception {
        int requests = Integer.parseInt(args[0]);
        int bad = requests / 10 * 9;
        AtomicInteger next = new AtomicInteger();
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger errors = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Client client = clients.client(i);
            Runnable work = () -> {
                try (client) {
                    for (int n = next.getAndIncrement(); n < requests; n = next.getAndIncrement()) {
                        if (n == bad && client.bad()) {
                            failed.incrementAndGet();
                        }
                        (client.good(n) ? answered : errors).incrementAndGet();
                    }
                } catch (Exception e) {
                    errors.incrementAndGet();
                    e.printStackTrace();
                }
            };
            threads.add(new Thread(work, "client-" + i));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.printf("{\"requests\":%d,\"answered\":%d,\"errors\":%d,\"failed\":%d}%n", requests, answered.get(), errors.get(), failed.get());
    }
}
