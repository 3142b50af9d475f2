package fields;

/** Observed: its field is hidden by one of the subclass. */
class Meter {
    int value;
}
