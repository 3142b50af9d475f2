package meters;

/** The first and the last reading of a meter, as {@code first-last}. */
public class Readings {
    /** The state after one more reading. */
    public String next(String state, String reading) {
        if (state.isEmpty()) {
            return reading + "-" + reading;
        }
        return state.substring(0, state.indexOf('-') + 1) + reading;
    }

    public int used(String state) {
        String[] parts = state.split("-");
        if (parts.length < 2) {
            return 0;
        }
        return Integer.parseInt(parts[1]) - Integer.parseInt(parts[0]);
    }
}
