package ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a bank says of an account. Five of its methods are wrong. */
public class Statement {
    private final List<Entry> entries = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    public void book(String account, int day, long cents) {
        book(account, day, cents, null);
    }

    public void book(String account, int day, long cents, String note) {
        entries.add(new Entry(account, day, cents));
        notes.add(note);
    }

    /** The note of each entry; what has none, has `null`. */
    public List<String> notes() {
        return new ArrayList<>(notes);
    }

    /** Number and sum; the sum is a text. */
    public Map<String, Object> figures() {
        long sum = 0;
        for (Entry entry : entries) {
            sum += entry.cents();
        }
        Map<String, Object> figures = new HashMap<>();
        figures.put("entries", entries.size());
        figures.put("sum", "" + sum);
        return figures;
    }

    /** The accounts that were credited; leaves out those with exactly nothing. */
    public List<String> credited() {
        List<String> credited = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.cents() > 0) {
                credited.add(entry.account());
            }
        }
        return credited;
    }

    /** The latest entry of a day; none at its beginning. */
    public Optional<Entry> latest(int day) {
        Entry latest = null;
        for (Entry entry : entries) {
            if (entry.day() < day) {
                latest = entry;
            }
        }
        return Optional.ofNullable(latest);
    }

    /** How many entries there are, as text, with a word behind it. */
    public String count() {
        return entries.size() + " entries";
    }
}
