package org.junit.jupiter.api.extension;

public @interface ExtendWith {
    Class<?>[] value();
}
