package fulfilment;

/** Understands messages {@code restock;sku;quantity;day} and {@code order;customer;sku;quantity}. */
public class OrderHandler {
    private final Warehouse warehouse;
    private final CustomerStatistics statistics;

    public OrderHandler(Warehouse warehouse, CustomerStatistics statistics) {
        this.warehouse = warehouse;
        this.statistics = statistics;
    }

    public Shipment handle(String id, String message) {
        String[] fields = message.split(";");
        return switch (fields[0]) {
            case "restock" -> {
                warehouse.add(fields[1], new Lot(Integer.parseInt(fields[2]), Integer.parseInt(fields[3])));
                yield new Shipment(id, fields[1], 0, 0);
            }
            case "order" -> {
                Shipment shipment = warehouse.ship(id, fields[2], Integer.parseInt(fields[3]));
                statistics.ordered(fields[1], shipment.quantity());
                yield shipment;
            }
            default -> throw new IllegalArgumentException(message);
        };
    }
}
