package org.junit.jupiter.api;

public class Assertions {
    public interface Code {
        void run() throws Throwable;
    }

    public static <T extends Throwable> T assertThrows(Class<T> type, Code code) {
        return null;
    }

    public static void assertEquals(int expected, int actual) {
    }

    public static void assertEquals(Object expected, Object actual) {
    }

    public static void assertNotEquals(int from, int actual) {
    }

    public static void assertNull(Object actual) {
    }

    public static void assertTrue(boolean condition) {
    }

    public static <T> T assertInstanceOf(Class<T> type, Object actual) {
        return null;
    }
}
