package gone;

/** Part of a library that one may do without. */
final class Extra {
    int price() {
        return 1;
    }
}
