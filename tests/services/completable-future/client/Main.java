package client;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import load.Load;
import search.SearchService;
import search.Shop;

/** Searches and buys. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        List<Shop> shops = List.of(new Shop("north", 3_000), new Shop("south", 3_000), new Shop("corner", 2));
        SearchService service = new SearchService(shops, executor);
        SearchService small = new SearchService(List.of(new Shop("attic", 2)), executor);
        Load.run(args, number -> new Customer(service, small));
        executor.shutdown();
    }

    private record Customer(SearchService service, SearchService small) implements Load.Client {
        @Override
        public boolean good(int n) {
            String query = "article" + n % 73;
            if (n % 8 == 7) {
                return service.buy(query).join() != null;
            }
            return !service.search(query).join().offers().isEmpty();
        }

        @Override
        public boolean bad() {
            boolean sold = small.buy("lamp").join().equals("attic") && small.buy("lamp").join().equals("attic");
            try {
                small.buy("lamp").join();
                return false;
            } catch (CompletionException e) {
                return sold && e.getCause() instanceof IndexOutOfBoundsException;
            }
        }
    }
}
