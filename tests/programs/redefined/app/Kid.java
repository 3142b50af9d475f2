package redefined.app;

import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import redefined.lib.Base;
import redefined.lib.Has;

/** Observed, with a method reference that gets a body. */
public class Kid extends Base {
    private final LongSupplier clock = System::nanoTime;

    public long run(Has has) {
        ToIntFunction<Has> get = Has::get;
        clock.getAsLong();
        return add(get.applyAsInt(has)) + add(has.get());
    }

    /** Observed, and below an observed class. */
    public static class Inner extends Kid {
        @Override
        public long run(Has has) {
            return 1 + super.run(has);
        }
    }

    /** Observed, with a superclass of the JDK. */
    public static class Own {
        private int count;

        public int next() {
            return ++count;
        }
    }
}
