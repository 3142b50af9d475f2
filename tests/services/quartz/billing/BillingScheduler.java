package billing;

import java.util.Properties;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Lets invoices be written at their time. */
public class BillingScheduler {
    private final Scheduler scheduler;

    public BillingScheduler(InvoiceService invoices, JobLog log) throws SchedulerException {
        Properties properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", "billing");
        properties.setProperty("org.quartz.threadPool.threadCount", "8");
        properties.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        scheduler = new StdSchedulerFactory(properties).getScheduler();
        scheduler.getContext().put("invoices", invoices);
        scheduler.getContext().put("log", log);
        JobDetail job = JobBuilder.newJob(InvoiceJob.class).withIdentity("invoice").storeDurably().build();
        scheduler.addJob(job, true);
    }

    public void start() throws SchedulerException {
        scheduler.start();
    }

    /** Lets the invoice of a customer for a month be written as soon as a thread is free. */
    public void now(String customer, int month) throws SchedulerException {
        Trigger trigger = TriggerBuilder.newTrigger()
                .forJob("invoice")
                .usingJobData("customer", customer)
                .usingJobData("month", month)
                .startNow()
                .build();
        scheduler.scheduleJob(trigger);
    }

    public void stop() throws SchedulerException {
        scheduler.shutdown(true);
    }
}
