package orders;

public record InvoiceLine(String sku, int quantity, long cents) {}
