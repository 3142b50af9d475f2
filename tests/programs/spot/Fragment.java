package spot;

/** The same in one method. */
final class Fragment {
    private Fragment() {
    }

    private static String advice(boolean climb, int up) {
        int separation;
        if (climb) { // decides
            separation = up; // wrong: 100 is missing
        } else {
            separation = up + 100;
        }
        int upward;
        if (separation > 150) {
            upward = 1;
        } else {
            upward = 0;
        }
        if (upward > 0) {
            return "upward";
        } else {
            return "downward";
        }
    }

    public static void main(String[] arguments) {
        boolean climb = Integer.parseInt(arguments[0]) != 0;
        String advice = advice(climb, Integer.parseInt(arguments[1]));
        if (!advice.equals(arguments[2])) {
            throw new IllegalStateException("wrong advice: " + advice);
        }
    }
}
