package hashtable;

/** A key and its value, in a list of those with the same place. */
final class Entry {
    final String key;
    int value;
    Entry next;

    Entry(String key, int value, Entry next) {
        this.key = key;
        this.value = value;
        this.next = next;
    }
}
