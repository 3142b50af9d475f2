package rail;

/** A train, and how many cars it has. */
public record Train(String number, int cars, Kind kind) {
    public enum Kind { LOCAL, EXPRESS, NIGHT }
}
