package constructs;

/** A superclass. */
class Base implements Described {
    protected final String name;

    Base(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    String text() {
        return "[" + name + "]";
    }

    boolean named(String other) {
        return name.equals(other);
    }
}
