package chain;

/** Observed. */
class B extends A implements Named {
    B() {
        super("b");
    }
}
