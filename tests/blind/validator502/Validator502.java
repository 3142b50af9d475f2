package validator502;

import org.apache.commons.validator.GenericValidator;
import org.apache.commons.validator.routines.CreditCardValidator;

/** Validates the number of a credit card. */
public class Validator502 {
    private Validator502() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        CreditCardValidator validator = new CreditCardValidator();
        System.out.println(validator.isValid("4111111111111111"));
        System.out.println(GenericValidator.isCreditCard("1234567890"));
    }
}
