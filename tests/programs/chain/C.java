package chain;

/** Not observed, although it inherits from an observed class. */
class C extends B {
}
