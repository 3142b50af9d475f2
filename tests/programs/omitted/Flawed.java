package omitted;

import java.util.ArrayList;
import java.util.List;

/** Fails, for something was left out; another jump that went by would break something else. */
class Flawed {
    private final List<String> names = new ArrayList<>();

    public static void main(String[] args) {
        new Flawed().run(args.length > 0, null);
    }

    void run(boolean fill, String given) {
        if (given != null) {
            names.add(given.trim());
        }
        if (fill) {
            names.add("first");
        }
        say(fill);
        System.out.println(names.get(0));
    }

    static void say(boolean aloud) {
        if (aloud) {
            System.out.println("All is " + aloud + " and well");
        }
    }
}
