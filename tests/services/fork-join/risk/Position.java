package risk;

public record Position(String paper, long pieces) {}
