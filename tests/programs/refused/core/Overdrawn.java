package refused.core;

import refused.Refusal;

/** Loaded to verify {@link Till}, and never thrown. */
public class Overdrawn extends Refusal {
    private static final long serialVersionUID = 1;

    public Overdrawn(int missing) {
        super("missing: " + missing);
    }
}
