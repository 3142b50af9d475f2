package pointed;

/** Two figures, each by calls of its own. One of them is wrong: what is 20 or more counts half. */
public class Figures {
    static Figures shown;

    int total;
    int largest;

    static int add(int one, int other) {
        return one + other;
    }

    static int weighed(int value) {
        if (value < 20)
            return value;
        return value / 2;
    }

    static int larger(int one, int other) {
        return one > weighed(other) ? one : weighed(other);
    }

    static Figures of(int[] values) {
        Figures figures = new Figures();
        for (int value : values) {
            figures.total = add(figures.total, value);
            figures.largest = larger(figures.largest, value);
        }
        return figures;
    }

    public static void main(String[] args) {
        shown = of(new int[] {3, 24, 17, 5});
        System.out.println(shown.total + " " + shown.largest);
    }
}
