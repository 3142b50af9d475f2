package hashtable;

/** A table with lists of those that have the same place. */
final class HashTable {
    private Entry[] places = new Entry[2];
    private int size;

    private static int hash(String key) {
        int hash = 7;
        for (int i = 0; i < key.length(); i++) {
            hash = hash * 31 + key.charAt(i);
        }
        return hash;
    }

    private int place(String key) {
        return (hash(key) & 0x7fffffff) % places.length;
    }

    private Entry find(String key) {
        Entry entry = places[place(key)];
        while (entry != null && !entry.key.equals(key)) {
            entry = entry.next;
        }
        return entry;
    }

    void put(String key, int value) {
        Entry known = find(key);
        if (known != null) {
            known.value = value;
            return;
        }
        if (size >= places.length * 2) {
            grow();
        }
        add(key, value);
        size = size + 1;
    }

    private void add(String key, int value) {
        int place = place(key);
        places[place] = new Entry(key, value, places[place]);
    }

    private void grow() {
        Entry[] old = places;
        places = new Entry[old.length * 2];
        for (Entry list : old) {
            for (Entry entry = list; entry != null; entry = entry.next) {
                add(entry.key, entry.value);
            }
        }
    }

    int get(String key, int otherwise) {
        Entry entry = find(key);
        return entry == null ? otherwise : entry.value;
    }

    boolean remove(String key) {
        int place = place(key);
        Entry before = null;
        for (Entry entry = places[place]; entry != null; entry = entry.next) {
            if (entry.key.equals(key)) {
                if (before == null) {
                    places[place] = entry.next;
                } else {
                    before.next = entry.next;
                }
                size = size - 1;
                return true;
            }
            before = entry;
        }
        return false;
    }

    int size() {
        return size;
    }
}
