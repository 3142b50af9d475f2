package org.junit.runner;

public @interface RunWith {
    Class<?> value();
}
