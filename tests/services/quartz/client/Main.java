package client;

import billing.BillingScheduler;
import billing.InvoiceService;
import billing.JobLog;
import billing.Tariffs;
import billing.UsageRepository;

/** Lets invoices be written by the scheduler, as many at a time as it has threads. */
public final class Main {
    private static final int CUSTOMERS = 500;

    private Main() {}

    public static void main(String[] args) throws Exception {
        int requests = Integer.parseInt(args[0]);
        UsageRepository usage = new UsageRepository();
        JobLog log = new JobLog();
        BillingScheduler scheduler = new BillingScheduler(new InvoiceService(usage, new Tariffs()), log);
        scheduler.start();
        int months = (requests + CUSTOMERS - 1) / CUSTOMERS;
        int asked = 0;
        int late = 0;
        for (int month = 1; month <= months; month++) {
            for (int customer = 0; customer < CUSTOMERS && asked < requests; customer++) {
                usage.add("c" + customer, month, 30 + (customer * 37 + month * 101) % 900);
                usage.add("c" + customer, month, 60 + month);
                scheduler.now("c" + customer, month);
                asked++;
                if (asked == requests / 10 * 9) {
                    scheduler.now("late", 3);
                    late++;
                    await(log, asked + late);
                    usage.add("late", 2, 90);
                    scheduler.now("late", 2);
                }
            }
            // The month is over when all its invoices are written.
            await(log, asked + late);
        }
        scheduler.stop();
        int answered = log.done() - late;
        System.out.printf("{\"requests\":%d,\"answered\":%d,\"errors\":%d,\"failed\":%d}%n", requests, answered, requests - answered, log.failed());
    }

    private static void await(JobLog log, int asked) throws InterruptedException {
        while (log.done() < asked) {
            Thread.sleep(1);
        }
    }
}
