package shop;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.Period;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

class OrderService {
    private final Catalog catalog;
    private final Customers customers;
    private final TaxTable taxes;
    private final List<Order> orders = new ArrayList<>();

    OrderService(Catalog catalog, Customers customers, TaxTable taxes) {
        this.catalog = catalog;
        this.customers = customers;
        this.taxes = taxes;
    }

    Order place(String customer, List<Line> lines) {
        Order order = new Order(customers.get(customer), lines, LocalDate.of(2026, 11, 5));
        orders.add(order);
        return order;
    }

    /** What each customer has to pay for a month. */
    Map<String, BigDecimal> report(YearMonth month) {
        Pricing pricing = new Pricing(catalog, taxes);
        return orders.stream().filter(order -> YearMonth.from(order.day).equals(month))
                .collect(Collectors.groupingBy(order -> order.customer.name, TreeMap::new, Collectors.mapping(
                        order -> pricing.price(order), Collectors.reducing(BigDecimal.ZERO, BigDecimal::add))));
    }
}

class Pricing {
    private final Catalog catalog;
    private final TaxTable taxes;

    Pricing(Catalog catalog, TaxTable taxes) {
        this.catalog = catalog;
        this.taxes = taxes;
    }

    BigDecimal price(Order order) {
        BigDecimal sum = order.lines.stream().map(line -> gross(catalog.find(line.sku()), line.quantity()))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return order.customer.discount(order.day).apply(sum);
    }

    BigDecimal gross(Product product, int quantity) {
        BigDecimal net = product.price().multiply(BigDecimal.valueOf(quantity));
        return net.add(net.multiply(taxes.rate(product.category())));
    }
}

class Catalog {
    private final Map<String, Product> products = new LinkedHashMap<>();

    void add(Product product) {
        products.put(product.sku(), product);
    }

    Product find(String sku) {
        return Optional.ofNullable(products.get(sku)).orElseThrow(() -> new NoSuchElementException(sku));
    }
}

class Customers {
    private final Map<String, Customer> all = new HashMap<>();

    void register(String id, String name, LocalDate since) {
        all.put(id, new Customer(name, since));
    }

    Customer get(String id) {
        return all.get(id);
    }
}

class Customer {
    final String name;
    private final LocalDate since;

    Customer(String name, LocalDate since) {
        this.name = name;
        this.since = since;
    }

    Discount discount(LocalDate today) {
        return Period.between(since, today).getYears() >= 5 ? new Discount(new BigDecimal("0.05")) : Discount.NONE;
    }
}

record Discount(BigDecimal rate) {
    static final Discount NONE = new Discount(BigDecimal.ZERO);

    BigDecimal apply(BigDecimal sum) {
        return sum.subtract(sum.multiply(rate)).setScale(2, RoundingMode.HALF_UP);
    }
}

class TaxTable {
    private final Map<Category, BigDecimal> rates;

    TaxTable(Map<Category, BigDecimal> rates) {
        this.rates = new EnumMap<>(rates);
    }

    BigDecimal rate(Category category) {
        return rates.get(category);
    }
}

class Order {
    final Customer customer;
    final List<Line> lines;
    final LocalDate day;

    Order(Customer customer, List<Line> lines, LocalDate day) {
        this.customer = customer;
        this.lines = lines;
        this.day = day;
    }
}
