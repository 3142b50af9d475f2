package strays.app;

/** What has an area. Others may inherit from it. */
public abstract class Shape {
    /** Its area. */
    public abstract int area();

    /** Its area if it were so many times as long. */
    public abstract int scaled(int by);

    /** The same of a fraction. */
    public abstract float stretched(float by);

    /** Is it the larger one? */
    public abstract boolean covers(Shape other);
}
