package suite;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that run at the same time and share a stock; one of them packs more than there is. */
@Execution(ExecutionMode.CONCURRENT)
public class CrowdTest {
    private static final Stock SHARED = new Stock(8);
    /** Neither goes on before the other one has begun. */
    private static final CountDownLatch BEGUN = new CountDownLatch(2);
    private static final CountDownLatch ORDERED = new CountDownLatch(1);

    @Test
    void ordersLittle() throws InterruptedException {
        begin();
        for (int i = 0; i < 4; i++) {
            order("Ann", 1);
        }
        ORDERED.countDown();
    }

    @Test
    void ordersTooMuch() throws InterruptedException {
        begin();
        for (int i = 0; i < 5; i++) {
            order("Bob", 1);
        }
        assertTrue(ORDERED.await(1, TimeUnit.MINUTES));
        synchronized (SHARED) {
            SHARED.pack();
        }
    }

    private static void begin() throws InterruptedException {
        BEGUN.countDown();
        assertTrue(BEGUN.await(1, TimeUnit.MINUTES));
    }

    private static void order(String customer, int count) {
        synchronized (SHARED) {
            SHARED.order(customer, count);
        }
    }
}
