package sliced;

/** Wang 2007, Figure 5.3: a small database, whose command "read" leaves the wrong record as the current one. */
final class Database {
    private final String[] entries = new String[8];
    private int size;
    private int current;

    private Database() {}

    void read() {
        for (int i = 0; i < 3; i++) {
            entries[i] = i == 0 ? "Africa" : i == 1 ? "America" : "Antarctica"; // read: entry
        }
        size = 3; // read: size
        current = size - 1; // read: current
    }

    /** Puts a record where the current one is. */
    void insert(String name) {
        for (int i = size; i > current; i--) {
            entries[i] = entries[i - 1]; // insert: shift
        }
        entries[current] = name; // insert: entry
        size++; // insert: size
    }

    static String command(int at) {
        return at == 0 ? "read" : at == 1 ? "insert" : "exit";
    }

    static String run() {
        Database db = new Database(); // run: database
        int at = 0; // run: at
        while (true) { // run: loop
            String command = command(at++); // run: command
            if (command.equals("read")) { // run: if
                db.read(); // run: read
            } else if (command.equals("insert")) {
                db.insert("Asia"); // run: insert
            } else {
                break; // run: exit
            }
        }
        return db.entries[2]; // run: criterion
    }

    public static void main(String[] args) {
        run();
    }
}
