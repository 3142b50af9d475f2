package quotes;

import org.apache.commons.lang.math.NumberUtils;
import org.springframework.stereotype.Component;

/** What things cost. */
@Component
public class Prices {
    private static final double EACH = 2.5;

    /** The price of a quantity, which is a number as programs have them. */
    public double of(String quantity) {
        return EACH * NumberUtils.createNumber(quantity).doubleValue();
    }
}
