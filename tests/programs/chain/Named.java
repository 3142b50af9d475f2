package chain;

/** Not observed; its default method is inherited by B and C, and by D, which is not observed either. */
interface Named {
    default String title(Tool tool) {
        return getClass().getSimpleName() + tool.turn(hidden());
    }

    private int hidden() {
        return 4;
    }
}
