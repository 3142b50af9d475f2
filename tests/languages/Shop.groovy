package shop

/** What is for sale. */
class Item {
    String name
    int cents = 100
    List<String> tags = []
}

/** What a customer has taken. */
class Basket {
    private final List<Item> items

    Basket(List<Item> items) {
        this.items = items
    }

    /** The basket with what is cheaper than this. */
    Basket below(int cents) {
        new Basket(items.findAll { it.cents < cents })
    }

    /** The price of one, in the mean. */
    int mean(int least = 0) {
        (int) items.sum(0) { it.cents }.intdiv(Math.max(items.size(), least))
    }
}

/** Runs the program. */
class Shop {
    /** Sums the means. */
    static int total(List<Basket> baskets) {
        int sum = 0
        for (basket in baskets) {
            sum += basket.mean()
        }
        sum
    }

    static void main(String[] args) {
        def full = new Basket([new Item(name: 'tea'), new Item(name: 'cup', cents: 250, tags: ['blue'])])
        println total([full])
        def cheap = full.below(100)
        println total([full, cheap])
    }
}
