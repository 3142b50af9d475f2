package crews;

import java.util.concurrent.CountDownLatch;

/** Where a clerk leaves a notice. */
final class Board {
    final CountDownLatch written = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);
    Thread clerk;
    int looks;
    int notice;
}
