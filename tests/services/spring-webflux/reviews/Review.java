package reviews;

public record Review(String author, int stars, String text) {}
