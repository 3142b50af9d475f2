package search;

public record Offer(String shop, String article, long cents, int stars) {}
