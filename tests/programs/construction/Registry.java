package construction;

import java.util.ArrayList;
import java.util.List;

/** Not observed: what derives from it is registered before its own constructor has begun. */
public abstract class Registry {
    static final List<Registry> ALL = new ArrayList<>();

    protected Registry(String name) {
        ALL.add(this);
        registered(this);
    }

    protected abstract void registered(Registry self);
}
