package demo.jackson;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Binds JSON to objects and back: properties, creators, subtypes, generics, trees, a deserializer of its own, errors. */
public final class Main {
    private Main() {
    }

    enum Unit { GRAM, METRE }

    /** A shape, recognized by its property {@code kind}. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(value = Circle.class, name = "circle"),
        @JsonSubTypes.Type(value = Box.class, name = "box")})
    interface Shape {
        double area();
    }

    static final class Circle implements Shape {
        private final double radius;

        @JsonCreator
        Circle(@JsonProperty("radius") double radius) {
            this.radius = radius;
        }

        public double getRadius() {
            return radius;
        }

        @Override
        public double area() {
            return Math.PI * radius * radius;
        }
    }

    static final class Box implements Shape {
        public double width;
        public double height;

        @Override
        public double area() {
            return width * height;
        }
    }

    /** What is read and written. */
    static final class Order {
        private String id;
        private final List<Shape> shapes = new ArrayList<>();
        private Map<Unit, BigDecimal> amounts = new EnumMap<>(Unit.class);
        @JsonDeserialize(using = Colon.class)
        public String[] pair;

        public String getId() {
            return id;
        }

        public void setId(String id) {
            this.id = id;
        }

        public List<Shape> getShapes() {
            return shapes;
        }

        public Map<Unit, BigDecimal> getAmounts() {
            return amounts;
        }

        public void setAmounts(Map<Unit, BigDecimal> amounts) {
            this.amounts = amounts;
        }
    }

    /** Reads {@code "a:b"} as an array of two. */
    static final class Colon extends StdDeserializer<String[]> {
        private static final long serialVersionUID = 1;

        Colon() {
            super(String[].class);
        }

        @Override
        public String[] deserialize(JsonParser parser,
                com.fasterxml.jackson.databind.DeserializationContext context) throws IOException {
            return parser.getText().split(":");
        }
    }

    /** Takes no arguments; ends by an exception of Jackson's. */
    public static void main(String[] args) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
        String text = "{\"id\":\"o-1\",\"shapes\":[{\"kind\":\"circle\",\"radius\":2.0},"
            + "{\"kind\":\"box\",\"width\":3,\"height\":4}],\"amounts\":{\"GRAM\":1.50},\"pair\":\"a:b\"}";
        Order order = mapper.readValue(text, Order.class);
        System.out.printf("%s %.3f %s %s%n", order.getId(), order.getShapes().stream().mapToDouble(Shape::area).sum(),
            order.getAmounts(), order.pair[1]);
        System.out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(order));
        trees(mapper);
        many(mapper);
        stream(mapper);
        try {
            mapper.readValue("{\"id\":[1]}", Order.class);
        } catch (MismatchedInputException e) {
            System.out.println(e.getOriginalMessage() + " " + e.getPathReference().replaceAll("^.*?\\[", "["));
        }
        mapper.readValue(text.replace("circle", "star"), Order.class);
    }

    private static void trees(ObjectMapper mapper) throws IOException {
        JsonNode node = mapper.readTree("{\"a\":{\"b\":[1,2.5,null,true,\"\\u00e9\"]}}");
        ((ObjectNode) node.get("a")).put("c", 7L).putPOJO("d", List.of(1, 2));
        System.out.println(node.at("/a/b/4").asText() + " " + node + " " + node.findValuesAsText("c"));
    }

    private static void many(ObjectMapper mapper) throws IOException {
        Map<String, List<Integer>> numbers = new LinkedHashMap<>();
        for (int n = 0; n < 200; n++) {
            numbers.computeIfAbsent("k" + n % 7, key -> new ArrayList<>()).add(n);
        }
        byte[] bytes = mapper.writeValueAsBytes(numbers);
        Map<String, List<Integer>> back = mapper.readValue(bytes, new TypeReference<Map<String, List<Integer>>>() { });
        System.out.println(bytes.length + " " + back.equals(numbers));
    }

    private static void stream(ObjectMapper mapper) throws IOException {
        int tokens = 0;
        try (JsonParser parser = mapper.getFactory().createParser("[{\"x\":1},{\"x\":-1e3}]")) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                tokens += token.ordinal();
            }
        }
        System.out.println(tokens);
    }
}
