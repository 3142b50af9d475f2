package small;

/** So many percent less. */
class Coupon {
    private final int percent;

    Coupon(int percent) {
        this.percent = percent;
    }

    int applyTo(int cents) {
        if (percent > 100) {
            throw new IllegalStateException(percent + " percent of " + cents);
        }
        return cents - cents * percent / 100;
    }
}
