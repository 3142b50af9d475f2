package json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Jackson writes and parses documents: objects to text, text to objects, text to a tree that is walked.
 *
 * <p>Argument: how many documents. Prints {@code work-ns N}, {@code second-half-ns N} and {@code checksum N}.
 */
public final class Main {
    private final ObjectMapper mapper = new ObjectMapper();
    private long checksum;

    private Main() {
    }

    public static void main(String[] args) throws JsonProcessingException {
        int documents = Integer.parseInt(args[0]);
        long start = System.nanoTime();
        long half = start;
        Main main = new Main();
        for (int i = 0; i < documents; i++) {
            if (i == documents / 2) {
                half = System.nanoTime();
            }
            main.turn(order(i));
        }
        long end = System.nanoTime();
        System.out.println("work-ns " + (end - start));
        System.out.println("second-half-ns " + (end - half));
        System.out.println("checksum " + main.checksum);
    }

    private void turn(Order order) throws JsonProcessingException {
        String text = mapper.writeValueAsString(order);
        Order again = mapper.readValue(text, Order.class);
        again.number++;
        String tree = mapper.readTree(mapper.writeValueAsString(again)).toPrettyString();
        checksum = 31 * (31 * checksum + text.hashCode()) + tree.hashCode() + count(mapper.readTree(tree));
    }

    private static int count(JsonNode node) {
        int nodes = 1;
        for (JsonNode child : node) {
            nodes += count(child);
        }
        return nodes;
    }

    private static Order order(int number) {
        Order order = new Order();
        order.number = number;
        order.customer = "customer \u00e9 \"" + number % 100 + "\"";
        for (int i = 0; i < 1 + number % 20; i++) {
            Line line = new Line();
            line.article = "article " + i * number;
            line.pieces = i + 1;
            line.price = number * 0.25 + i;
            order.lines.add(line);
            order.attributes.put("attribute " + i, "value\n" + number);
        }
        return order;
    }

    /** An order. Jackson finds its fields by reflection. */
    public static final class Order {
        public int number;
        public String customer;
        public List<Line> lines = new ArrayList<>();
        public Map<String, String> attributes = new TreeMap<>();
    }

    /** A line of an order. */
    public static final class Line {
        public String article;
        public int pieces;
        public double price;
    }
}
