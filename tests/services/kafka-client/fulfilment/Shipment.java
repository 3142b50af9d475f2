package fulfilment;

public record Shipment(String order, String sku, int quantity, int nextDay) {}
