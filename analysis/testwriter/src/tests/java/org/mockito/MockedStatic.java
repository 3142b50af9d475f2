package org.mockito;

public interface MockedStatic<T> extends AutoCloseable {
    <R> Mockito.Stubbing<R> when(Verification verification);

    @Override
    void close();

    interface Verification {
        void apply() throws Throwable;
    }
}
