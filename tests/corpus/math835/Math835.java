package math835;

import static org.junit.Assert.assertEquals;

import org.apache.commons.math3.fraction.Fraction;

/** Shows fractions as percentages. */
public class Math835 {
    private Math835() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Fraction sum = Fraction.ZERO;
        for (int i = 1; i < 5; i++) {
            sum = sum.add(new Fraction(1, i));
        }
        assertEquals(208.33, sum.percentageValue(), 0.01);
        assertEquals(2.1691754E9, new Fraction(Integer.MAX_VALUE / 99, 1).percentageValue(), 0.01);
    }
}
