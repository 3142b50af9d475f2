package wrapped;

/** How a reader reads; stands for a class of a library that is not recorded. */
public final class Options {
    private final String separator;

    public Options(String separator) {
        this.separator = separator;
    }

    public String separator() {
        return separator;
    }
}
