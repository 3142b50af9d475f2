package invoices;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sums up what customers owe, out of a database; with the argument {@code web}, takes orders by HTTP. */
public class Main {
    public static void main(String[] args) throws Exception {
        Store store = new Store(DriverManager.getConnection("jdbc:h2:mem:invoices"));
        store.init();
        if (args.length > 0) {
            serve(new Api(store));
        } else {
            System.out.println(new Invoices(store).total("bob"));
        }
    }

    private static void serve(Api api) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/order", exchange -> answer(api, exchange));
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/order");
        HttpClient client = HttpClient.newHttpClient();
        for (String body : List.of("{\"user\":\"ada\",\"items\":[{\"sku\":\"A\",\"qty\":2}]}",
                "{\"user\":\"bob\",\"items\":[{\"sku\":\"B\"}]}")) {
            HttpRequest request = HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(body)).build();
            System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
        }
        server.stop(0);
    }

    private static void answer(Api api, HttpExchange exchange) throws IOException {
        try {
            byte[] reply = api.handle(exchange.getRequestBody().readAllBytes());
            exchange.sendResponseHeaders(200, reply.length);
            exchange.getResponseBody().write(reply);
        } catch (RuntimeException e) {
            exchange.sendResponseHeaders(500, -1);
        } finally {
            exchange.close();
        }
    }
}

class Store {
    private final Connection connection;

    Store(Connection connection) {
        this.connection = connection;
    }

    void init() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table invoice(id int, who varchar, amount varchar)");
            statement.execute("insert into invoice values(1,'ada','10.50'),(2,'bob','7.25'),(3,'bob','n/a')");
        }
    }

    List<Row> rows(String who) throws SQLException {
        List<Row> rows = new ArrayList<>();
        String query = "select id, amount from invoice where who=? order by id";
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, who);
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.add(new Row(found.getInt(1), found.getString(2)));
                }
            }
        }
        return rows;
    }
}

record Row(int id, String amount) {
}

class Invoices {
    private final Store store;

    Invoices(Store store) {
        this.store = store;
    }

    BigDecimal total(String who) throws SQLException {
        BigDecimal total = BigDecimal.ZERO;
        for (Row row : store.rows(who)) {
            total = total.add(new BigDecimal(row.amount()));
        }
        return total;
    }
}

class Api {
    private final Store store;
    private final ObjectMapper mapper = new ObjectMapper();

    Api(Store store) {
        this.store = store;
    }

    byte[] handle(byte[] body) {
        try {
            JsonNode order = mapper.readTree(body);
            int pieces = 0;
            for (JsonNode item : order.get("items")) {
                pieces += item.get("qty").asInt();
            }
            return mapper.writeValueAsBytes(Map.of("user", order.get("user").asText(), "pieces", pieces));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
