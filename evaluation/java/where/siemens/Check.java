package siemens;

/** What an assertion library does: it is not recorded. */
final class Check {
    private Check() {
    }

    static void same(String expected, String given) {
        if (!given.equals(expected)) {
            throw new AssertionError("expected " + expected + ", given " + given);
        }
    }
}
