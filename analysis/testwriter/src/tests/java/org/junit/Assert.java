package org.junit;

public class Assert {
    public interface Code {
        void run() throws Throwable;
    }

    public static <T extends Throwable> T assertThrows(Class<T> type, Code code) {
        return null;
    }
}
