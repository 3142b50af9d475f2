package gson1053;

import static org.junit.Assert.assertEquals;

import com.google.gson.Gson;

/** Reads numbers. */
public class Gson1053 {
    private Gson1053() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Gson gson = new Gson();
        assertEquals(-1.5, gson.fromJson("-1.5", Double.class), 0);
        assertEquals("[1.0,2.0]", gson.toJson(gson.fromJson("[1,2]", double[].class)));
        assertEquals(Double.valueOf(-0.0), gson.fromJson("-0", Double.class));
    }
}
