package fields;

/** Not observed: what the observed classes read and write. */
class Unit {
    int value;
    Rational rational;

    Unit(int value) {
        this.value = value;
    }

    /** A pair of numbers; not observed. */
    static final class Rational {
        private final int numerator;
        private final int denominator;

        Rational(int numerator, int denominator) {
            this.numerator = numerator;
            this.denominator = denominator;
        }

        int getNumerator() {
            return numerator;
        }

        int getDenominator() {
            return denominator;
        }
    }

    /** What a division gives; not observed. */
    static final class Result {
        private final float quotient;

        Result(float quotient) {
            this.quotient = quotient;
        }

        float quotient() {
            return quotient;
        }
    }
}
