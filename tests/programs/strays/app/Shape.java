package strays.app;

/** What has an area. Others may inherit from it. */
public abstract class Shape {
    /** Its area. */
    public abstract int area();

    /** Its area if it were so many times as long. */
    public int scaled(int by) {
        return area() * by;
    }

    /** The same of a fraction. */
    public float stretched(float by) {
        return area() * by;
    }

    /** Is it the larger one? */
    public abstract boolean covers(Shape other);
}
