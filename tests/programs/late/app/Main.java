package late.app;

import java.util.ArrayList;
import java.util.List;
import late.out.Keeper;

/** Gives a list away, and puts into it later: at the boundary nothing says which of the two things the keeper has then. */
public final class Main {
    private final int number;

    Main(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    public static void main(String[] args) {
        List<Main> things = new ArrayList<>();
        Keeper keeper = new Keeper(things);
        things.add(new Main(1));
        things.add(new Main(2));
        System.out.println(keeper.last());
        if (args.length > 0) {
            things.get(0).fail(args[0]);
        }
    }

    private void fail(String how) {
        throw new IllegalStateException(how + " " + number);
    }
}
