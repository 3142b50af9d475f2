package wrapped;

/** Adds up the amounts of a line. */
public class Reader {
    private final Options options;
    private final Parser parser = new Parser();

    public Reader(Options options) {
        this.options = options;
    }

    /** The sum of a line; looks for its own data beside its classes, as libraries do. */
    public int sum(String line) {
        if (Reader.class.getProtectionDomain().getCodeSource().getLocation() == null) {
            throw new IllegalStateException("from nowhere");
        }
        try {
            int sum = 0;
            for (String part : line.split(options.separator())) {
                sum += parser.cents(part);
            }
            return sum;
        } catch (ClassCastException e) {
            throw new IllegalArgumentException("cannot read " + line, e);
        }
    }
}
