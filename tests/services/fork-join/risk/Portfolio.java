package risk;

import java.util.List;

public record Portfolio(String owner, List<Position> positions) {}
