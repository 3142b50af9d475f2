package shipping;

public record Quote(String carrier, long cents) {}
