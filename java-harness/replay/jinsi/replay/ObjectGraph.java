package jinsi.replay;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Objects and what they hold, as they are sent to {@link Counterpart} and sent back. */
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
    private static final int INTERNALS = 4;
    /** Instead of an array's length: a repeated call makes the object. */
    private static final int MADE = -4;
    /** More would be no answer that anybody waits for. */
    private static final int MOST = 1_000_000;

    /** Class of the loader of the recorded program's classes. */
    private static final String LOADER = "jdk.internal.loader.ClassLoaders$AppClassLoader";
    private static final Class<?>[] PRIMITIVES = {
        boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class, double.class, void.class
    };

    private final ClassLoader loader;
    private final List<Object> objects = new ArrayList<>();
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();
    /** What waits for objects that are not made yet, by their numbers. */
    private final Map<Integer, List<Slot>> waiting = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final BitSet needed = new BitSet();
    private final BitSet texts = new BitSet();
    private final BitSet made = new BitSet();
    /** Objects that were not made as in the recorded run, and why. */
    private final Map<Integer, String> broken = new TreeMap<>();
    private final List<Runnable> contents = new ArrayList<>();
    /** Fields that were reported, by class. */
    private final Map<String, Set<String>> reported = new HashMap<>();
    private final StringBuilder apart = new StringBuilder();

    ObjectGraph(ClassLoader loader) {
        this.loader = loader;
    }

    /** The class with this binary name, or with that of an array as {@link Class#getName} has it. */
    Class<?> type(String name) {
        for (Class<?> primitive : PRIMITIVES) {
            if (primitive.getName().equals(name)) {
                return primitive;
            }
        }
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalStateException("the other version has no class " + name);
        }
    }

    /** Has the object with this number. What waits for it gets it. */
    void put(int number, Object object) {
        objects.set(number, object);
        numbers.put(object, number);
        List<Slot> slots = waiting.remove(number);
        if (slots != null) {
            slots.forEach(slot -> slot.set(object));
        }
    }

    /** The object with this number; {@code null} if it is not made yet. */
    Object get(int number) {
        return objects.get(number);
    }

    /** The number of an object; −1 if it has none. */
    int numberOf(Object object) {
        Integer known = numbers.get(object);
        return known == null ? -1 : known;
    }

    /** Was the object with this number made of its text? */
    boolean isText(int number) {
        return texts.get(number);
    }

    /** Binary name of the class that the object with this number had. */
    String name(int number) {
        return names.get(number);
    }

    /** The object with this number is not as it was in the recorded run. */
    void breaks(int number, String why) {
        broken.putIfAbsent(number, "a " + names.get(number) + ", which came out otherwise: " + why);
    }

    /** Do repeated calls make the object with this number? */
    boolean isMade(int number) {
        return made.get(number);
    }

    boolean isBroken(int number) {
        return broken.containsKey(number);
    }

    /** What is not made as in the recorded run, of what counts. */
    Map<Integer, String> broken() {
        Map<Integer, String> counts = new TreeMap<>();
        for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
            if (broken.containsKey(i)) {
                counts.put(i, broken.get(i));
            } else if (i < objects.size() && objects.get(i) == null) {
                counts.put(i, "a " + names.get(i) + " that nothing made");
            }
        }
        return counts;
    }

    /** How many objects the recorded run reported. */
    int reported() {
        return names.size();
    }

    /** The fields that the other version has more in classes of objects that were reported, a line each. */
    String grown() {
        StringBuilder grown = new StringBuilder();
        for (Map.Entry<String, Set<String>> entry : reported.entrySet()) {
            for (Field field : type(entry.getKey()).getDeclaredFields()) {
                boolean own = Modifier.isStatic(field.getModifiers()) || field.isSynthetic();
                if (!own && !entry.getValue().contains(field.getName())) {
                    grown.append(entry.getKey()).append(' ').append(field.getName()).append('\n');
                }
            }
        }
        return grown.toString();
    }

    /** The static fields that were reported and that this version does not have so, a line each. */
    String apart() {
        return apart.toString();
    }

    /** Is there a hash table among them whose order the JVM draws? */
    boolean isDrawn() {
        for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
            if (i < objects.size() && JdkContents.isDrawn(objects.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Where a value goes. */
    interface Slot {
        void set(Object value);
    }

    /** Puts a value where it belongs, now or when it is made. */
    void assign(Object value, Slot slot) {
        if (value instanceof Unborn) {
            waiting.computeIfAbsent(((Unborn) value).number, n -> new ArrayList<>()).add(slot);
        } else {
            slot.set(value);
        }
    }

    /** An object that is not made yet. */
    static final class Unborn {
        final int number;

        Unborn(int number) {
            this.number = number;
        }
    }

    /** Makes all objects first, then what they hold: they may refer to each other. Static fields come next, and repeated calls last. */
    void read(DataInputStream in) throws IOException, ReflectiveOperationException {
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            String name = readText(in);
            names.add(name);
            needed.set(i, in.readBoolean());
            int length = in.readInt();
            Object made = length == MADE ? null : made(in, i, name, length);
            objects.add(made);
            texts.set(i, length == VALUE);
            this.made.set(i, length == MADE);
            if (made != null) {
                numbers.put(made, i);
            }
        }
        for (int i = 0; i < count; i++) {
            parts(in, i);
        }
        int statics = in.readInt();
        for (int i = 0; i < statics; i++) {
            String type = readText(in);
            String name = readText(in);
            assign(readValue(in), value -> {
                try {
                    RawAccess.setStaticField(Class.forName(type, true, loader), name, value);
                } catch (ReflectiveOperationException | LinkageError e) {
                    // A static field that this version does not have, or not of this type, is no matter of its.
                    apart.append(type).append(' ').append(name).append('\n');
                }
            });
        }
    }

    private void parts(DataInputStream in, int number) throws IOException {
        int parts = in.readInt();
        boolean isArray = names.get(number).startsWith("[");
        for (int part = 0; part < parts; part++) {
            if (isArray) {
                int index = part;
                Object value = readValue(in);
                assign(value, held -> element(number, index, held));
                // Calls that are repeated may have it hold something else meanwhile.
                contents.add(() -> assign(value, held -> element(number, index, held)));
            } else {
                String declaring = readText(in);
                String name = readText(in);
                Object value = readValue(in);
                Slot field = held -> field(number, declaring, name, held);
                if (objects.get(number) == null) {
                    waiting.computeIfAbsent(number, n -> new ArrayList<>()).add(object -> assign(value, field));
                } else {
                    assign(value, field);
                }
            }
        }
    }

    private void element(int number, int index, Object value) {
        Object array = objects.get(number);
        if (array != null) {
            try {
                Array.set(array, index, value);
            } catch (IllegalArgumentException e) {
                broken.put(number, "the other version has no " + names.get(number) + " that holds this");
            }
        }
    }

    /** Arrays hold what they held in the end, whatever repeated calls made of them. */
    void settle() {
        contents.forEach(Runnable::run);
    }

    /** The object with this number; {@code null} if the other version has no such. */
    private Object made(DataInputStream in, int number, String name, int length)
            throws IOException, ReflectiveOperationException {
        String owner = length == HOME ? readText(in) : null;
        String text = length == HOME || length == VALUE ? readText(in) : null;
        try {
            if (length == HOME) {
                return home(owner, text, name);
            }
            if (name.equals(LOADER)) {
                return loader;
            }
            Class<?> type = type(name);
            if (length == VALUE) {
                Object value = TextValues.make(type, text);
                if (value == null) {
                    throw new IllegalStateException("a " + name + " cannot be made of its text");
                }
                return value;
            }
            return type.isArray() ? Array.newInstance(type.getComponentType(), length) : RawAccess.allocate(type);
        } catch (IllegalStateException | InstantiationException e) {
            broken.put(number, e.getMessage());
            return null;
        }
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

    private void field(int number, String declaring, String name, Object value) {
        try {
            RawAccess.setField(type(declaring), name, objects.get(number), value);
            reported.computeIfAbsent(declaring, c -> new HashSet<>()).add(name);
        } catch (ReflectiveOperationException | IllegalArgumentException | IllegalStateException e) {
            broken.put(number, "the other version has no field " + declaring + "." + name + " of this type");
        }
    }

    Object readValue(DataInputStream in) throws IOException {
        switch (in.readUnsignedByte()) {
            case NULL:
                return null;
            case OBJECT:
                int number = in.readInt();
                Object object = objects.get(number);
                return object == null ? new Unborn(number) : object;
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

    /** A value; objects get their numbers when they are first reported. */
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

    /** The static fields of classes; −1 fields of one that nobody has initialized. */
    void writeStatics(DataOutputStream out, Class<?>[] types) throws IOException {
        for (Class<?> type : types) {
            List<Field> fields = fields(type, true);
            if (RawAccess.isNew(type) || !isInitialized(type)) {
                out.writeInt(-1);
                continue;
            }
            out.writeInt(fields.size());
            for (Field field : fields) {
                writeText(out, field.getName());
                writeValue(out, RawAccess.readStatic(field), field.getType().isPrimitive());
            }
        }
    }

    /** Initializes a class. Can that be done? */
    private boolean isInitialized(Class<?> type) {
        try {
            Class.forName(type.getName(), true, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** All objects with what they hold; more turn up meanwhile. Those below a number are the same on both sides. */
    boolean write(DataOutputStream out, int given) throws IOException {
        JdkContents jdk = new JdkContents(this, given);
        for (int i = 0; i < objects.size(); i++) {
            Object object = objects.get(i);
            out.writeByte(1);
            if (object == null) {
                writeText(out, names.get(i));
                out.writeByte(OPAQUE);
            } else {
                writeText(out, object == loader ? LOADER : object.getClass().getName());
                write(out, object, jdk);
            }
        }
        out.writeByte(0);
        return jdk.isDrawn();
    }

    private void write(DataOutputStream out, Object object, JdkContents jdk) throws IOException {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            array(out, object);
        } else if (object instanceof JdkContents.Inherited) {
            internals(out, ((JdkContents.Inherited) object).object, ((JdkContents.Inherited) object).type, INTERNALS);
        } else if (type.getClassLoader() == loader) {
            recorded(out, object);
        } else if (object == loader) {
            out.writeByte(TEXT);
            writeText(out, "");
        } else if (isValue(type)) {
            out.writeByte(TEXT);
            writeText(out, object instanceof Locale ? ((Locale) object).toLanguageTag() : object.toString());
        } else if (jdk.text(object) != null) {
            out.writeByte(TEXT);
            writeText(out, jdk.text(object));
        } else if (jdk.elements(object) != null) {
            array(out, jdk.elements(object));
        } else if (jdk.isOpaque(object)) {
            out.writeByte(OPAQUE);
        } else {
            internals(out, object, type, jdk.isPlain(type) ? FIELDS : INTERNALS);
        }
    }

    /** Fields of an object of the other version. */
    private void recorded(DataOutputStream out, Object object) throws IOException {
        List<Field> all = new ArrayList<>();
        Class<?> type = object.getClass();
        for (; type != null && type.getClassLoader() == loader; type = type.getSuperclass()) {
            all.addAll(fields(type, false));
        }
        boolean inherits = type != null && type != Object.class && type != Enum.class
                && !type.getName().equals("java.lang.Record");
        out.writeByte(FIELDS);
        out.writeInt(all.size() + (inherits ? 1 : 0));
        for (Field field : all) {
            writeText(out, field.getDeclaringClass().getName());
            writeText(out, field.getName());
            writeValue(out, RawAccess.read(field, object), field.getType().isPrimitive());
        }
        if (inherits) {
            writeText(out, "");
            writeText(out, "what it inherits");
            writeValue(out, new JdkContents.Inherited(object, type), false);
        }
    }

    /** Fields of an object of the JDK, as one of a class. */
    private void internals(DataOutputStream out, Object object, Class<?> of, int kind) throws IOException {
        List<Field> all = new ArrayList<>();
        for (Class<?> type = of; type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !JdkContents.isIdle(field)) {
                    all.add(field);
                }
            }
        }
        out.writeByte(kind);
        out.writeInt(all.size());
        for (Field field : all) {
            writeText(out, field.getDeclaringClass().getName());
            writeText(out, field.getName());
            writeValue(out, RawAccess.peek(field, object), field.getType().isPrimitive());
        }
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
