package jinsi.replay;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Objects and what they hold, as they are told to {@link Counterpart} and told back. */
final class ObjectGraph {
    private static final int NULL = 0;
    private static final int OBJECT = 1;
    private static final int STRING = 2;
    private static final int PRIMITIVE = 3;
    private static final int BOX = 4;
    private static final int CLASS = 5;
    /** Instead of an array's length: the object is that of a static field, or the text says what it is. */
    private static final int HOME = -2;
    private static final int VALUE = -3;
    private static final int OPAQUE = 0;
    private static final int FIELDS = 1;
    private static final int ARRAY = 2;
    private static final int TEXT = 3;
    /** More would be no answer that anybody waits for. */
    private static final int MOST = 1_000_000;

    private final ClassLoader loader;
    private final List<Object> objects = new ArrayList<>();
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();

    ObjectGraph(ClassLoader loader) {
        this.loader = loader;
    }

    /** The class with this binary name, or with that of an array as {@link Class#getName} has it. */
    Class<?> type(String name) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalStateException("the other version has no class " + name);
        }
    }

    /** Has the object with this number. */
    void put(int number, Object object) {
        objects.set(number, object);
        numbers.put(object, number);
    }

    /** Makes all objects first, then what they hold: they may refer to each other. Static fields come last. */
    void read(DataInputStream in) throws IOException, ReflectiveOperationException {
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            String name = readText(in);
            int length = in.readInt();
            Object made = made(in, name, length);
            objects.add(made);
            numbers.put(made, i);
        }
        for (int i = 0; i < count; i++) {
            Object object = objects.get(i);
            int parts = in.readInt();
            for (int part = 0; part < parts; part++) {
                if (object.getClass().isArray()) {
                    int index = in.readInt();
                    Array.set(object, index, readValue(in));
                } else {
                    field(object, readText(in), readText(in), readValue(in));
                }
            }
        }
        int statics = in.readInt();
        for (int i = 0; i < statics; i++) {
            String type = readText(in);
            String name = readText(in);
            Object value = readValue(in);
            try {
                RawAccess.setStaticField(Class.forName(type, true, loader), name, value);
            } catch (ReflectiveOperationException e) {
                // A static field that this version does not have is no matter of its.
                continue;
            }
        }
    }

    private Object made(DataInputStream in, String name, int length) throws IOException, ReflectiveOperationException {
        if (length == HOME) {
            return home(readText(in), readText(in), name);
        }
        Class<?> type = type(name);
        if (length == VALUE) {
            Object value = TextValues.make(type, readText(in));
            if (value == null) {
                throw new IllegalStateException("a " + name + " cannot be made of its text");
            }
            return value;
        }
        return type.isArray() ? Array.newInstance(type.getComponentType(), length) : RawAccess.allocate(type);
    }

    /** What the initializer of a class has put into a static field of it. */
    private Object home(String type, String name, String wanted) {
        try {
            Field field = type(type).getDeclaredField(name);
            field.setAccessible(true);
            Object held = RawAccess.readStatic(field);
            if (held != null) {
                return held;
            }
        } catch (ReflectiveOperationException e) {
            // So it is said below.
        }
        throw new IllegalStateException("the other version has no " + wanted + " in " + type + "." + name);
    }

    private void field(Object object, String declaring, String name, Object value) {
        try {
            RawAccess.setField(type(declaring), name, object, value);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IllegalStateException("the other version has no field " + declaring + "." + name + " of this type");
        }
    }

    Object readValue(DataInputStream in) throws IOException {
        switch (in.readUnsignedByte()) {
            case NULL:
                return null;
            case OBJECT:
                return objects.get(in.readInt());
            case STRING:
                return readText(in);
            case CLASS:
                return type(readText(in));
            default:
                return primitive(in.readUnsignedByte(), in.readLong());
        }
    }

    private static Object primitive(int letter, long bits) {
        switch (letter) {
            case 'Z':
                return bits != 0;
            case 'B':
                return (byte) bits;
            case 'C':
                return (char) bits;
            case 'S':
                return (short) bits;
            case 'I':
                return (int) bits;
            case 'J':
                return bits;
            case 'F':
                return Float.intBitsToFloat((int) bits);
            default:
                return Double.longBitsToDouble(bits);
        }
    }

    /** A value; objects get their numbers when they are first told of. */
    void writeValue(DataOutputStream out, Object value, boolean isPrimitive) throws IOException {
        int letter = letter(value);
        if (value == null) {
            out.writeByte(NULL);
        } else if (value instanceof String) {
            out.writeByte(STRING);
            writeText(out, (String) value);
        } else if (value instanceof Class) {
            out.writeByte(CLASS);
            writeText(out, ((Class<?>) value).getName());
        } else if (letter != 0) {
            out.writeByte(isPrimitive ? PRIMITIVE : BOX);
            out.writeByte(letter);
            out.writeLong(bits(value));
        } else {
            out.writeByte(OBJECT);
            out.writeInt(number(value));
        }
    }

    private int number(Object object) {
        Integer known = numbers.get(object);
        if (known != null) {
            return known;
        }
        int number = objects.size();
        if (number >= MOST) {
            throw new IllegalStateException("the other version made too many objects");
        }
        objects.add(object);
        numbers.put(object, number);
        return number;
    }

    private static int letter(Object value) {
        if (value instanceof Boolean) {
            return 'Z';
        } else if (value instanceof Byte) {
            return 'B';
        } else if (value instanceof Character) {
            return 'C';
        } else if (value instanceof Short) {
            return 'S';
        } else if (value instanceof Integer) {
            return 'I';
        } else if (value instanceof Long) {
            return 'J';
        } else if (value instanceof Float) {
            return 'F';
        }
        return value instanceof Double ? 'D' : 0;
    }

    private static long bits(Object value) {
        if (value instanceof Boolean) {
            return (Boolean) value ? 1 : 0;
        } else if (value instanceof Character) {
            return (Character) value;
        } else if (value instanceof Float) {
            return Float.floatToRawIntBits((Float) value) & 0xffff_ffffL;
        } else if (value instanceof Double) {
            return Double.doubleToRawLongBits((Double) value);
        }
        return ((Number) value).longValue();
    }

    /** The static fields of classes. */
    void writeStatics(DataOutputStream out, Class<?>[] types) throws IOException {
        for (Class<?> type : types) {
            List<Field> fields = fields(type, true);
            out.writeInt(fields.size());
            for (Field field : fields) {
                writeText(out, field.getName());
                writeValue(out, RawAccess.readStatic(field), field.getType().isPrimitive());
            }
        }
    }

    /** All objects with what they hold; more turn up meanwhile. */
    void write(DataOutputStream out) throws IOException {
        for (int i = 0; i < objects.size(); i++) {
            Object object = objects.get(i);
            out.writeByte(1);
            writeText(out, object.getClass().getName());
            if (object.getClass().isArray()) {
                array(out, object);
            } else if (object.getClass().getClassLoader() == loader) {
                List<Field> all = new ArrayList<>();
                for (Class<?> type = object.getClass(); type != null && type.getClassLoader() == loader;
                        type = type.getSuperclass()) {
                    all.addAll(fields(type, false));
                }
                out.writeByte(FIELDS);
                out.writeInt(all.size());
                for (Field field : all) {
                    writeText(out, field.getDeclaringClass().getName());
                    writeText(out, field.getName());
                    writeValue(out, RawAccess.read(field, object), field.getType().isPrimitive());
                }
            } else if (isValue(object.getClass())) {
                out.writeByte(TEXT);
                writeText(out, object instanceof Locale ? ((Locale) object).toLanguageTag() : object.toString());
            } else {
                out.writeByte(OPAQUE);
            }
        }
        out.writeByte(0);
    }

    /** Is what its objects hold in their text? */
    private static boolean isValue(Class<?> type) {
        String name = type.getName();
        boolean value = (name.startsWith("java.math.") || name.startsWith("java.time."))
                && !name.startsWith("java.time.format.") && name.indexOf('$') < 0 && !type.isEnum();
        return value || type == Locale.class || type == UUID.class;
    }

    private void array(DataOutputStream out, Object array) throws IOException {
        out.writeByte(ARRAY);
        int length = Array.getLength(array);
        boolean isPrimitive = array.getClass().getComponentType().isPrimitive();
        out.writeInt(length);
        for (int index = 0; index < length; index++) {
            writeValue(out, Array.get(array, index), isPrimitive);
        }
    }

    private static List<Field> fields(Class<?> type, boolean areStatic) {
        List<Field> found = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) == areStatic) {
                field.setAccessible(true);
                found.add(field);
            }
        }
        return found;
    }

    static String readText(DataInputStream in) throws IOException {
        char[] text = new char[in.readInt()];
        for (int i = 0; i < text.length; i++) {
            text[i] = in.readChar();
        }
        return new String(text);
    }

    /** A text, or {@code null}. */
    static void writeText(DataOutputStream out, String text) throws IOException {
        out.writeInt(text == null ? -1 : text.length());
        if (text != null) {
            out.writeChars(text);
        }
    }
}
