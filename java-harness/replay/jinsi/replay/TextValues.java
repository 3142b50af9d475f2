package jinsi.replay;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Makes immutable values, and a few simple mutable ones, from their text. */
final class TextValues {
    /** Static methods that make a value from its text, in order of preference. */
    private static final String[] FACTORIES = {
        "parse", "fromString", "of", "compile", "forName", "getInstance", "valueOf"
    };

    private TextValues() {
    }

    /**
     * Makes the value of class {@code type} whose text is {@code text}.
     *
     * @return the value, or {@code null} if no way is known
     * @throws InvocationTargetException if the class does not accept the text
     */
    static Object make(Class<?> type, String text) throws InvocationTargetException {
        if (type == Locale.class) {
            return Locale.forLanguageTag(text);
        }
        if (type == AtomicInteger.class) {
            return new AtomicInteger(Integer.parseInt(text));
        }
        if (type == AtomicLong.class) {
            return new AtomicLong(Long.parseLong(text));
        }
        if (type == AtomicBoolean.class) {
            return new AtomicBoolean(Boolean.parseBoolean(text));
        }
        // Not public where it matters: java.time.ZoneRegion is made by ZoneId.
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            Object made = at.getName().startsWith("java.") ? fromPublic(at, type, text) : null;
            if (made != null) {
                return made;
            }
        }
        return null;
    }

    private static Object fromPublic(Class<?> at, Class<?> wanted, String text) throws InvocationTargetException {
        if (!Modifier.isPublic(at.getModifiers())) {
            return null;
        }
        for (String name : FACTORIES) {
            for (Class<?> parameter : new Class<?>[] {CharSequence.class, String.class}) {
                try {
                    Method factory = at.getMethod(name, parameter);
                    if (factory.getDeclaringClass() == at && wanted.isAssignableFrom(factory.getReturnType())
                            || at != wanted && factory.getReturnType() == at) {
                        return factory.invoke(null, text);
                    }
                } catch (NoSuchMethodException | IllegalAccessException e) {
                    continue;
                }
            }
        }
        try {
            Constructor<?> constructor = at.getConstructor(String.class);
            return at == wanted ? constructor.newInstance(text) : null;
        } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
            return null;
        }
    }

    /**
     * The constant of an enum whose class runs for real.
     *
     * @return the constant, or {@code null} if {@code type} is no enum
     * @throws IllegalArgumentException if it has no such constant
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static Object constant(Class<?> type, String name) {
        Class<?> enumType = enumType(type);
        return enumType == null ? null : Enum.valueOf((Class) enumType, name);
    }

    /** The enum that {@code type} is, or of which it is a constant's own class; else {@code null}. */
    static Class<?> enumType(Class<?> type) {
        if (type.isEnum()) {
            return type;
        }
        Class<?> parent = type.getSuperclass();
        return parent != null && parent.isEnum() ? parent : null;
    }
}
