package kernels;

import java.util.Random;

/** Allocation-heavy: counts words in chains of small objects of its own that hang on a table which grows. */
final class Words {

    private static final String LETTERS = "etaoinshrdlu";

    private Entry[] table = new Entry[16];
    private int entries;

    private Words() {
    }

    /** {@code size}: how many words. */
    static void run(int size) {
        Random random = new Random(7L);
        Words words = new Words();
        for (int i = 0; i < size; i++) {
            char[] word = new char[1 + random.nextInt(3)];
            for (int j = 0; j < word.length; j++) {
                word[j] = LETTERS.charAt(random.nextInt(LETTERS.length()));
            }
            words.add(new Key(word));
        }
        int sum = 0;
        for (Entry chain : words.table) {
            for (Entry entry = chain; entry != null; entry = entry.next) {
                sum += entry.count;
            }
        }
        Main.check(sum == size, "counted " + sum);
    }

    private void add(Key key) {
        int place = key.hash & table.length - 1;
        for (Entry entry = table[place]; entry != null; entry = entry.next) {
            if (entry.key.same(key)) {
                entry.count++;
                return;
            }
        }
        table[place] = new Entry(key, table[place]);
        entries++;
        if (entries > table.length) {
            grow();
        }
    }

    private void grow() {
        Entry[] larger = new Entry[2 * table.length];
        for (Entry chain : table) {
            Entry entry = chain;
            while (entry != null) {
                Entry next = entry.next;
                int place = entry.key.hash & larger.length - 1;
                entry.next = larger[place];
                larger[place] = entry;
                entry = next;
            }
        }
        table = larger;
    }

    /** A word. */
    private static final class Key {

        private final char[] letters;
        private final int hash;

        Key(char[] letters) {
            this.letters = letters;
            int sum = 0;
            for (char letter : letters) {
                sum = 31 * sum + letter;
            }
            this.hash = sum ^ sum >>> 4;
        }

        boolean same(Key other) {
            if (letters.length != other.letters.length) {
                return false;
            }
            for (int i = 0; i < letters.length; i++) {
                if (letters[i] != other.letters[i]) {
                    return false;
                }
            }
            return true;
        }
    }

    /** A word and how often it came. */
    private static final class Entry {

        private final Key key;
        private Entry next;
        private int count = 1;

        Entry(Key key, Entry next) {
            this.key = key;
            this.next = next;
        }
    }
}
