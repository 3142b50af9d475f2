package edges.app;

/** Cannot be serialized, so that its constructor runs for each leaf that is read. */
abstract class Stem {
    private static int made;
    final int number;

    Stem() {
        number = ++made;
    }
}
