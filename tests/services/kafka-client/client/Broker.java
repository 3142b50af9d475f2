package client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import load.Http;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/** A broker of one node, in this process. */
final class Broker {
    private final KafkaRaftServer server;
    private final String servers;

    private Broker(KafkaRaftServer server, String servers) {
        this.server = server;
        this.servers = servers;
    }

    static Broker start() throws Exception {
        Path directory = Files.createTempDirectory("broker");
        int port = Http.freePort();
        int controller = Http.freePort();
        String meta = "version=1\nnode.id=1\ncluster.id=" + Uuid.randomUuid() + "\ndirectory.id=" + Uuid.randomUuid() + "\n";
        Files.writeString(directory.resolve("meta.properties"), meta);
        Properties properties = new Properties();
        properties.putAll(Map.of("process.roles", "broker,controller", "node.id", "1", "controller.quorum.voters", "1@127.0.0.1:" + controller,
                "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller, "controller.listener.names", "CONTROLLER",
                "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT", "log.dirs", directory.toString(),
                "offsets.topic.replication.factor", "1", "offsets.topic.num.partitions", "1", "group.initial.rebalance.delay.ms", "0"));
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties), Time.SYSTEM);
        server.startup();
        return new Broker(server, "127.0.0.1:" + port);
    }

    String servers() {
        return servers;
    }

    void create(int partitions, String... topics) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            for (String topic : topics) {
                admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
            }
        }
    }

    void stop() {
        server.shutdown();
    }
}
