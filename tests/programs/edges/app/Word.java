package edges.app;

import edges.lib.Described;

/** Inherits from a class that is not observed, and that looks something up before its object exists. */
final class Word extends Described {
    private final String text;

    Word(String text) {
        this.text = text;
    }

    @Override
    protected String own() {
        return text;
    }
}
