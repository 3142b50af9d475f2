package client;

import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import load.Load;
import risk.Portfolio;
import risk.Position;
import risk.PriceBook;
import risk.RiskService;

/** Asks for reports while prices change. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        PriceBook prices = new PriceBook();
        RiskService service = new RiskService(new ForkJoinPool(4), prices);
        Load.run(args, number -> new Bank(service, prices));
    }

    private record Bank(RiskService service, PriceBook prices) implements Load.Client {
        @Override
        public boolean good(int n) {
            if (n % 4 == 3) {
                prices.tick("P" + n % 150, 100 + n * 7L % 5_000);
                return true;
            }
            List<Position> positions = IntStream.range(0, 5 + n % 60).mapToObj(i -> new Position("P" + (n + i * 7) % 150, 1 + i % 9)).toList();
            return service.report(new Portfolio("owner" + n % 40, positions)).value() > 0;
        }

        @Override
        public boolean bad() {
            prices.tick("BUST", 0);
            try {
                service.report(new Portfolio("unlucky", List.of(new Position("BUST", 12))));
                return false;
            } catch (ArithmeticException e) {
                return service.last("unlucky") == null;
            }
        }
    }
}
