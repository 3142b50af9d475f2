package reviews;

import java.util.List;

public record Rating(String product, int reviews, double average, long trustPercent, List<Review> best) {}
