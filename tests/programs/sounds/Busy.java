package sounds;

import java.util.function.Predicate;

/** Holds of what has coded more than one name. */
public class Busy implements Predicate<Sounds> {
    @Override
    public boolean test(Sounds sounds) {
        return sounds.coded() > 1;
    }
}
