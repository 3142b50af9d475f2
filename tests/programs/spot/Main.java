package spot;

/** Advises which way to go. What is added to one of two separations is missing in the other. */
final class Main {
    private Main() {
    }

    private static int separation(boolean climb, int up) {
        int separation;
        if (climb) { // decides
            separation = up; // wrong: 100 is missing
        } else {
            separation = up + 100; // right
        }
        return separation;
    }

    private static String advise(boolean climb, int up) {
        int upward;
        if (separation(climb, up) > 150) { // compared
            upward = 1;
        } else {
            upward = 0; // down
        }
        if (upward > 0) { // advised
            return "upward";
        }
        return "downward";
    }

    public static void main(String[] arguments) {
        boolean climb = arguments[0].equals("climb");
        int up = Integer.parseInt(arguments[1]);
        String advice = advise(climb, up);
        if (!advice.equals(arguments[2])) { // checked
            throw new IllegalStateException("wrong advice: " + advice);
        }
    }
}
