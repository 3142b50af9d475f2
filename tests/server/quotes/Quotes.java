package quotes;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Answers {@code /quote?quantity=3}. What goes wrong in it is answered with status 500. */
@RestController
public class Quotes {
    private final Prices prices;
    private int asked;

    /** Spring gives the prices. */
    public Quotes(Prices prices) {
        this.prices = prices;
    }

    /** What so many cost. */
    @GetMapping("/quote")
    public String quote(@RequestParam("quantity") String quantity) {
        return "quote " + ++asked + ": " + prices.of(quantity);
    }
}
