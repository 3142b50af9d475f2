package bank;

public record Booking(long id, long cents, String text) {}
