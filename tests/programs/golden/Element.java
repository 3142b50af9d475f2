package golden;

/** Has a value. */
final class Element {
    final int value;

    Element(int value) {
        this.value = value;
    }
}
