package small;

/** Something to buy. */
class Item {
    private final String name;
    private final int cents;

    Item(String name, int cents) {
        this.name = name;
        this.cents = cents;
    }

    int cents() {
        return cents;
    }

    @Override
    public String toString() {
        return name;
    }
}
