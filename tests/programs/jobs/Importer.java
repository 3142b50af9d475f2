package jobs;

/** Imports rows of the form {@code key;number}. */
class Importer {
    private final Registry registry;

    Importer(Registry registry) {
        this.registry = registry;
    }

    int load(String row) {
        String[] parts = row.split(";");
        return registry.put(parts[0], new Parser().number(parts[1]));
    }
}
