package org.mockito;

public class Mockito {
    public static <T> T mock(Class<T> type) {
        return null;
    }

    public static <T> Stubbing<T> when(T call) {
        return null;
    }

    public static Stubber doThrow(Throwable... throwables) {
        return null;
    }

    public static <T> MockedStatic<T> mockStatic(Class<T> type) {
        return null;
    }

    public static Stubber doNothing() {
        return null;
    }

    public interface Stubbing<T> {
        Stubbing<T> thenReturn(T value);

        @SuppressWarnings("unchecked")
        Stubbing<T> thenReturn(T value, T... values);

        Stubbing<T> thenThrow(Throwable... throwables);

        Stubbing<T> thenAnswer(Answer<?> answer);
    }

    public interface Answer<T> {
        T answer(Invocation call) throws Throwable;
    }

    public interface Invocation {
        <T> T getArgument(int index);
    }

    public interface Stubber {
        Stubber doThrow(Throwable... throwables);

        Stubber doNothing();

        <T> T when(T mock);
    }
}
