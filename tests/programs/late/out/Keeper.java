package late.out;

import java.util.List;
import late.app.Main;

/** Not observed: keeps a list. */
public final class Keeper {
    private final List<Main> things;

    public Keeper(List<Main> things) {
        this.things = things;
    }

    public int last() {
        return things.get(things.size() - 1).number();
    }
}
