package billing;

import org.quartz.Job;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.SchedulerException;

/** Writes one invoice. */
public class InvoiceJob implements Job {
    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        JobDataMap data = context.getMergedJobDataMap();
        String customer = data.getString("customer");
        int month = data.getInt("month");
        try {
            InvoiceService invoices = (InvoiceService) context.getScheduler().getContext().get("invoices");
            JobLog log = (JobLog) context.getScheduler().getContext().get("log");
            try {
                Invoice invoice = invoices.bill(customer, month);
                log.done(customer, month, invoice.cents());
            } catch (RuntimeException e) {
                log.failed(customer, month, e);
                throw new JobExecutionException(e);
            }
        } catch (SchedulerException e) {
            throw new JobExecutionException(e);
        }
    }
}
