package strays.lib;

import strays.app.Named;
import strays.app.Shape;

/** The environment. */
public final class Others {
    private Others() {
    }

    /** A shape of which only the machine knows the area. */
    public static Shape shape() {
        return new Shape() {
            @Override
            public int area() {
                return (int) ProcessHandle.current().pid();
            }

            @Override
            public int scaled(int by) {
                return area() + by;
            }

            @Override
            public float stretched(float by) {
                return area() - by;
            }

            @Override
            public boolean covers(Shape other) {
                return other == null;
            }
        };
    }

    /** Something of which only the machine knows the name. */
    public static Named named() {
        return () -> ProcessHandle.current().info().command().orElse("");
    }
}
