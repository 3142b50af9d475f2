package siemens;

/** Numbers that look random, and are the same everywhere. */
public final class Numbers {
    private long state;

    public Numbers(long seed) {
        state = seed * 0x9E3779B97F4A7C15L + 1;
    }

    /** From 0 on, below the bound. */
    public int below(int bound) {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return (int) Long.remainderUnsigned(state, bound);
    }

    /** One of these. */
    @SafeVarargs
    public final <T> T of(T... all) {
        return all[below(all.length)];
    }
}
