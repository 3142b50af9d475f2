package suite;

import java.util.List;

/** Not observed: keeps a list of stocks. */
class Keeper {
    private final List<Stock> stocks;

    Keeper(List<Stock> stocks) {
        this.stocks = stocks;
    }

    int packLast() {
        return stocks.get(stocks.size() - 1).pack();
    }
}
