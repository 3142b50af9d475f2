package risk;

public record RiskReport(long number, String owner, long value, long average, long largestPercent) {}
