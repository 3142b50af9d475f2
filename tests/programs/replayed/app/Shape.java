package replayed.app;

/** Each constant has a class of its own. */
enum Shape {
    ROUND {
        @Override
        int sides() {
            return 0;
        }
    },
    SQUARE {
        @Override
        int sides() {
            return 3 + ordinal();
        }
    };

    abstract int sides();
}
