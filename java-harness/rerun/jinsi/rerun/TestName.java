package jinsi.rerun;

/** The name of a test, as a trace has it. */
final class TestName {
    /** The name of what fails as a whole: a set-up or tear-down of the class. */
    private static final String WHOLE_CLASS = "(class)";

    /** Binary name of its class. */
    final String className;
    /** The method, and {@code [2]} behind it of one of several runs of the method; or {@code (class)}. */
    final String name;

    TestName(String className, String name) {
        this.className = className;
        this.name = name;
    }

    /** Did the class fail, and no single test of it? */
    boolean isWholeClass() {
        return name.equals(WHOLE_CLASS);
    }

    /** The name without the number of the run. */
    String method() {
        return name.substring(0, name.length() - run().length());
    }

    /** What tells the run from others of the same method, {@code [2]}; empty if nothing does. */
    String run() {
        return runOf(name);
    }

    /** The last brackets at the end of a name, with what is in them; empty if there are none. */
    static String runOf(String name) {
        int begin = name.endsWith("]") ? name.lastIndexOf('[') : -1;
        return begin < 0 ? "" : name.substring(begin);
    }

    /** The test's class, not yet initialized; {@code null} if there is none of this name. */
    Class<?> load() {
        try {
            return Class.forName(className, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
