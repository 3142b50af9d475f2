package math988;

import org.apache.commons.math3.geometry.euclidean.twod.SubLine;
import org.apache.commons.math3.geometry.euclidean.twod.Vector2D;

/** Intersects segments, at last parallel ones. */
public class Math988 {
    private Math988() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        SubLine rising = new SubLine(new Vector2D(0, 0), new Vector2D(2, 2));
        SubLine falling = new SubLine(new Vector2D(0, 2), new Vector2D(2, 0));
        SubLine above = new SubLine(new Vector2D(0, 1), new Vector2D(2, 3));
        System.out.println(rising.intersection(falling, true));
        System.out.println(falling.intersection(above, true));
        System.out.println(rising.intersection(above, true));
    }
}
