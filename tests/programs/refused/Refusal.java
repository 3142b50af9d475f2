package refused;

/** Not observed; loaded before anything that is observed. */
public class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Refusal(String why) {
        super(why);
    }
}
