package billing;

public record Call(int month, int seconds) {}
