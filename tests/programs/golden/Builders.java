package golden;

/** The listing on StringBuilder. Fails in the end, with all results. */
final class Builders {
    private Builders() {}

    public static void main(String[] args) {
        Heading heading = new Heading("name");
        StringBuilder outside = new StringBuilder("from outside, ");
        String all = heading.getAsHeading() + " " + heading.append(outside) + " " + outside.length() + " "
            + Heading.concatenationPlus(", ") + " " + Heading.concatenationBuilder(", ");
        throw new IllegalStateException(all);
    }
}
