package endless;

/** Where a crew's orders come in. */
final class Desk {
    private final Service service = new Service();

    Desk() {
        service.tariff("silver", 3);
        service.tariff("gold", null);
    }

    void take(String tariff, String name, int count) {
        Order order = new Order(tariff, name, count);
        synchronized (service) {
            service.take(order);
        }
    }
}
