package tickets;

import java.util.List;

public record Booking(long number, String show, String customer, List<String> seats) {}
