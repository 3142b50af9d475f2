package orders;

public record Product(String sku, String name, long cents) {}
