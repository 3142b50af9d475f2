package shipping;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code /quote?grams=..&zone=..&book=true}. */
public class QuoteHandler implements HttpHandler {
    private final QuoteService quotes;

    public QuoteHandler(QuoteService quotes) {
        this.quotes = quotes;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, String> query = Arrays.stream(exchange.getRequestURI().getQuery().split("&"))
                    .map(pair -> pair.split("=", 2))
                    .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
            Parcel parcel = new Parcel(Integer.parseInt(query.get("grams")), Zone.valueOf(query.get("zone")));
            Quote quote = Boolean.parseBoolean(query.get("book")) ? quotes.book(parcel) : quotes.quote(parcel);
            byte[] answer = (quote.carrier() + " " + quote.cents()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }
}
