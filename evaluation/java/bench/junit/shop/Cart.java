package shop;

import java.util.ArrayList;
import java.util.List;

/** What somebody is about to buy. */
final class Cart {
    private final Stock stock;
    private final List<String> articles = new ArrayList<>();
    private Price sum = new Price(0);

    Cart(Stock stock) {
        this.stock = stock;
    }

    void put(String article, int pieces, Price price) {
        stock.take(article, pieces);
        articles.add(pieces + " " + article);
        sum = sum.plus(price.times(pieces));
    }

    String bill() {
        return String.join(", ", articles) + ": " + sum;
    }
}
