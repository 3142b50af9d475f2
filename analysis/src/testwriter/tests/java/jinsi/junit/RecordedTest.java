package jinsi.junit;

public class RecordedTest {
    public static <T> T object(long id) {
        return null;
    }

    public static <T> T call(String className, String name, String desc, Object receiver, Object... args) {
        return null;
    }

    public static <T> T construct(String className, String desc, Object... args) {
        return null;
    }
}
