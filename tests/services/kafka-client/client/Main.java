package client;

import fulfilment.Fulfilment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Starts a broker, sends orders, and waits until each was answered. */
public final class Main {
    private static final int PARTITIONS = 8;

    private Main() {}

    public static void main(String[] args) throws Exception {
        int requests = Integer.parseInt(args[0]);
        Broker broker = Broker.start();
        broker.create(PARTITIONS, "orders", "shipments", "failed");
        try (Fulfilment service = new Fulfilment(broker.servers(), PARTITIONS)) {
            send(broker.servers(), requests);
            int[] counts = answers(broker.servers(), requests + 1);
            System.out.printf("{\"requests\":%d,\"answered\":%d,\"errors\":%d,\"failed\":%d}%n", requests, counts[0] - 1,
                    requests - counts[0] + 1, counts[1]);
        }
        broker.stop();
        System.exit(0);
    }

    private static void send(String servers, int requests) {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(Map.of("bootstrap.servers", servers), new StringSerializer(),
                new StringSerializer())) {
            for (int n = 0; n < requests; n++) {
                if (n == requests / 10 * 9) {
                    // Two messages of a partition are in order.
                    producer.send(new ProducerRecord<>("orders", 3, "last-1", "restock;figs;20;7"));
                    producer.send(new ProducerRecord<>("orders", 3, "last-2", "order;zoe;figs;20"));
                }
                String sku = "sku" + n % 19;
                String message = n % 3 == 0 || n < 400 ? "restock;" + sku + ";50;" + n / 100 : "order;c" + n % 83 + ";" + sku + ";" + (1 + n % 4);
                producer.send(new ProducerRecord<>("orders", "o" + n, message));
            }
        }
    }

    /** How many shipments and failures there are, of so many orders at least. */
    private static int[] answers(String servers, int shipments) {
        int[] counts = new int[2];
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", servers, "group.id", "client",
                "auto.offset.reset", "earliest"), new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("shipments", "failed"));
            for (int idle = 0; idle < 300 && (counts[0] < shipments || counts[1] == 0); idle++) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    counts[record.topic().equals("failed") ? 1 : 0]++;
                    idle = 0;
                }
            }
        }
        return counts;
    }
}
