package search;

import java.util.List;

public record SearchResult(String query, List<Offer> offers, double averageStars, long spreadPercent) {}
