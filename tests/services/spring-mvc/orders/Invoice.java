package orders;

import java.util.List;

/** What an order costs, in cents. */
public record Invoice(long id, String customer, List<InvoiceLine> lines, long full, long total, long savedPercent) {}
