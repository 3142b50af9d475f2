package bank;

import java.util.Map;

public record AccountStatement(long account, String owner, long balance, int bookings, Map<String, Long> byText) {}
