package constructs;

/** An interface with methods of every kind. */
interface Described {
    String MARK = String.valueOf('!');

    String name();

    default String described() {
        return decorated(name());
    }

    private String decorated(String text) {
        return "<" + text + ">" + MARK;
    }

    static String twice(String text) {
        return text + text;
    }
}
