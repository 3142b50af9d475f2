package golden;

/** Strings built inside, and with what comes from outside. */
final class Heading {
    private final String name;

    Heading(String name) {
        this.name = name;
    }

    String getAsHeading() {
        StringBuilder b = new StringBuilder();
        b.append("<h1>");
        b.append(this.toString());
        b.append("</h1>");
        return b.toString();
    }

    String append(StringBuilder b) {
        b.append(name);
        return b.toString();
    }

    static String concatenationPlus(String comma) {
        return "Hello" + comma + "world!";
    }

    static String concatenationBuilder(String comma) {
        return new StringBuilder().append("Hello").append(comma).append("world!").toString();
    }

    @Override
    public String toString() {
        return name;
    }
}
