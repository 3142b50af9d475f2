package roaring158;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.roaringbitmap.RoaringBitmap;

/** Ranks numbers among those of a set. */
public class Roaring158 {
    private Roaring158() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        RoaringBitmap few = RoaringBitmap.bitmapOf(1, 5, 9);
        assertEquals(2, few.rank(5));
        assertEquals(0, RoaringBitmap.bitmapOf(65537).rank(1));
    }
}
