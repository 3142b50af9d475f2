package pooled;

/** A sum that was noted. */
final class Tally {
    int sum;
}
