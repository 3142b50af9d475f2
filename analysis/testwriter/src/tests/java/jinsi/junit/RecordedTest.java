package jinsi.junit;

public class RecordedTest {
    public static <T> T object(long id) {
        return null;
    }

    public static <T> T call(String className, String name, String desc, Object receiver, Object... args) {
        return null;
    }

    public interface Action {
        void run() throws Throwable;
    }

    public static int exitStatus(Action code) {
        return 0;
    }

    public static boolean holdsOfAny(String predicate) {
        return false;
    }

    public static String written() {
        return "";
    }

    public static <T> T construct(String className, String desc, Object... args) {
        return null;
    }
}
