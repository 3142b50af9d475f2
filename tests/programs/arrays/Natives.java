package arrays;

/** Recorded; its methods are native. */
final class Natives {
    static {
        System.load(System.getProperty("arrays.library"));
    }

    private Natives() {
    }

    static native void fill(int[] array, int value);

    static native int[] made(int length);
}
