package ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The entries of a month. */
public class Ledger {
    private final int days;
    private final List<Entry> entries = new ArrayList<>();

    public Ledger(int days) {
        this.days = days;
    }

    public void add(String account, int day, long cents) {
        entries.add(new Entry(account, day, cents));
    }

    /** Adds an entry that is written `account;day;cents`; without an amount it is none. */
    public void read(String line) {
        String[] parts = line.split(";");
        if (parts.length < 3) {
            throw new IllegalArgumentException("no entry: " + line);
        }
        add(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
    }

    public int size() {
        return entries.size();
    }

    /** The sum of the month. */
    public long total() {
        long sum = 0;
        for (Entry entry : entries) {
            if (entry.day() <= days) {
                sum += entry.cents();
            }
        }
        return sum;
    }

    /** The accounts by name. */
    public List<String> accounts() {
        List<String> accounts = new ArrayList<>();
        for (Entry entry : entries) {
            if (!accounts.contains(entry.account())) {
                accounts.add(entry.account());
            }
        }
        accounts.sort(Comparator.naturalOrder());
        return accounts;
    }

    /** The entries of at least so much. */
    public List<Entry> atLeast(long cents) {
        List<Entry> found = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.cents() >= cents) {
                found.add(entry);
            }
        }
        return found;
    }

    /** What was first booked on an account. */
    public long owed(String account) {
        Entry first = null;
        for (Entry entry : entries) {
            if (first == null && entry.account().equals(account)) {
                first = entry;
            }
        }
        return first == null ? 0 : first.cents();
    }

    /** Writes the entries into a journal. */
    public void write(Journal journal) {
        for (int i = 0; i < entries.size(); i++) {
            journal.line(entries.get(i).toString());
        }
    }
}
