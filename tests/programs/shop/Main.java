package shop;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;

/** A month of orders in a shop; a gift card, which has no category, cannot be taxed. */
public class Main {
    public static void main(String[] args) {
        Catalog catalog = new Catalog();
        catalog.add(new Product("A1", "Tea", new BigDecimal("3.50"), Category.FOOD));
        catalog.add(new Product("B2", "Pan", new BigDecimal("24.90"), Category.KITCHEN));
        catalog.add(new Product("C3", "Gift card", new BigDecimal("50.00"), null));
        Customers customers = new Customers();
        customers.register("ada", "Ada", LocalDate.of(2020, 2, 29));
        customers.register("bob", "Bob", LocalDate.of(2024, 1, 31));
        TaxTable taxes = new TaxTable(
                Map.of(Category.FOOD, new BigDecimal("0.07"), Category.KITCHEN, new BigDecimal("0.19")));
        OrderService service = new OrderService(catalog, customers, taxes);
        for (int i = 0; i < 40; i++) {
            service.place("ada", List.of(new Line("A1", 1 + i % 3), new Line("B2", 1)));
        }
        service.place("bob", List.of(new Line("C3", 1)));
        System.out.println(service.report(YearMonth.of(2026, 11)));
    }
}

enum Category { FOOD, KITCHEN }

record Product(String sku, String name, BigDecimal price, Category category) {
}

record Line(String sku, int quantity) {
}
