package bank;

public record Account(long id, String owner, long balance, long opened) {}
