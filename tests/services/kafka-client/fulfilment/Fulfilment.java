package fulfilment;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Takes orders from a topic, several consumers at a time, and says in another one what is shipped. */
public class Fulfilment implements AutoCloseable {
    private final List<OrderConsumer> consumers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final KafkaProducer<String, String> producer;

    public Fulfilment(String servers, int count) {
        Properties out = new Properties();
        out.put("bootstrap.servers", servers);
        out.put("linger.ms", "5");
        producer = new KafkaProducer<>(out, new StringSerializer(), new StringSerializer());
        OrderHandler handler = new OrderHandler(new Warehouse(), new CustomerStatistics());
        for (int i = 0; i < count; i++) {
            Properties in = new Properties();
            in.put("bootstrap.servers", servers);
            in.put("group.id", "fulfilment");
            in.put("auto.offset.reset", "earliest");
            consumers.add(new OrderConsumer(new KafkaConsumer<>(in, new StringDeserializer(), new StringDeserializer()), producer, handler));
        }
        for (OrderConsumer consumer : consumers) {
            Thread thread = new Thread(consumer, "orders-" + threads.size());
            threads.add(thread);
            thread.start();
        }
    }

    @Override
    public void close() throws InterruptedException {
        consumers.forEach(OrderConsumer::stop);
        for (Thread thread : threads) {
            thread.join();
        }
        producer.close();
    }
}
