package meters;

import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;

/** Reads meters, and says how much was used since the first reading. */
public class Main {
    public static void main(String[] args) {
        Readings readings = new Readings();
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream("readings", Consumed.with(Serdes.String(), Serdes.String()))
                .groupByKey(Grouped.with(Serdes.String(), Serdes.String()))
                .aggregate(() -> "", (meter, reading, state) -> readings.next(state, reading),
                        Materialized.with(Serdes.String(), Serdes.String()))
                .toStream()
                .mapValues(readings::used)
                .to("used", Produced.with(Serdes.String(), Serdes.Integer()));
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "meters");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        try (TopologyTestDriver driver = new TopologyTestDriver(builder.build(), properties)) {
            TestInputTopic<String, String> topic = driver.createInputTopic("readings",
                    Serdes.String().serializer(), Serdes.String().serializer());
            String[] all = {"m1 100", "m2 40", "m1 112", "m2 55", "m1 130", "m3 ", "m2 60"};
            for (String reading : all) {
                String[] parts = reading.split(" ", 2);
                topic.pipeInput(parts[0], parts[1]);
            }
            driver.createOutputTopic("used", Serdes.String().deserializer(), Serdes.Integer().deserializer())
                    .readKeyValuesToList()
                    .forEach(System.out::println);
        }
    }
}
