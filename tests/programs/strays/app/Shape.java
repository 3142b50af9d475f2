package strays.app;

/** What has an area. Others may inherit from it. */
public abstract class Shape {
    /** Its area. */
    public abstract int area();
}
