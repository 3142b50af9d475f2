package gson2144;

import static org.junit.Assert.assertFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonPrimitive;
import java.math.BigInteger;

/** Compares numbers. */
public class Gson2144 {
    private Gson2144() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        JsonArray numbers = new JsonArray();
        for (int shift = 0; shift < 128; shift += 32) {
            numbers.add(new JsonPrimitive(BigInteger.ONE.shiftLeft(shift).add(BigInteger.ONE)));
        }
        for (int i = 1; i < numbers.size(); i++) {
            assertFalse(numbers.get(i).equals(numbers.get(i - 1)));
        }
        assertFalse(numbers.get(3).equals(numbers.get(2)));
        assertFalse(numbers.get(2).equals(new JsonPrimitive(1)));
    }
}
