package edges.lib;

/** What describes itself. */
public abstract class Described {
    private static final Names NAMES = new Names("described");

    private final String prefix;

    protected Described() {
        this(NAMES);
    }

    private Described(Names names) {
        prefix = names.name(getClass());
    }

    /** The description. */
    public final String describe() {
        return prefix + " " + own();
    }

    /** The part that a subclass knows. */
    protected abstract String own();
}
