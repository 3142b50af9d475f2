package fulfilment;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Polls orders and hands them on. What cannot be handled goes to a topic of its own. */
public class OrderConsumer implements Runnable {
    private final Consumer<String, String> consumer;
    private final Producer<String, String> producer;
    private final OrderHandler handler;
    private volatile boolean stopped;

    public OrderConsumer(Consumer<String, String> consumer, Producer<String, String> producer, OrderHandler handler) {
        this.consumer = consumer;
        this.producer = producer;
        this.handler = handler;
    }

    @Override
    public void run() {
        consumer.subscribe(List.of("orders"));
        try (consumer) {
            while (!stopped) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    handle(record);
                }
            }
        }
    }

    public void stop() {
        stopped = true;
    }

    private void handle(ConsumerRecord<String, String> record) {
        try {
            Shipment shipment = handler.handle(record.key(), record.value());
            producer.send(new ProducerRecord<>("shipments", shipment.order(), shipment.toString()));
        } catch (RuntimeException e) {
            producer.send(new ProducerRecord<>("failed", record.key(), record.value() + ": " + e));
        }
    }
}
