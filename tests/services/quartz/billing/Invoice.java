package billing;

public record Invoice(long number, String customer, int month, long minutes, long cents) {}
