package jobs;

/** Reads numbers. */
class Parser {
    int number(String text) {
        return Integer.parseInt(text.trim());
    }
}
