package recipes;

import recipes.walk.Walk;

/** Looks at objects, and fails with all that it saw. */
class Take {
    private final StringBuilder seen = new StringBuilder();

    void see(Object thing) {
        seen.append(Walk.of(thing)).append(';');
    }

    void fail() {
        throw new IllegalStateException(seen.toString());
    }
}
