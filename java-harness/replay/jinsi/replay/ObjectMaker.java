package jinsi.replay;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;

/** Finds or makes the objects that recorded values name. */
final class ObjectMaker implements Resolver {
    private final Session session;
    private final ReplayLoader loader;
    private final ObjectPool pool;
    private final StandIns standIns;
    private final MemberLookup lookup;
    private final Notes notes;
    private final Recognition recognition;
    /** {@code null} if nothing is to be looked for there. */
    private final Given given;

    ObjectMaker(Session session, ReplayLoader loader, ObjectPool pool, StandIns standIns, MemberLookup lookup,
            Recognition recognition, Given given, Notes notes) {
        this.session = session;
        this.loader = loader;
        this.lookup = lookup;
        this.pool = pool;
        this.standIns = standIns;
        this.notes = notes;
        this.recognition = recognition;
        this.given = given;
    }

    @Override
    public Object resolve(Value value) throws MissingObjectException {
        switch (value.kind) {
            case NULL:
                return null;
            case CLASS:
                return type((String) value.payload);
            case OBJECT:
                return object(value.id);
            case STRING:
                return pool.text((String) value.payload);
            default:
                return value.payload;
        }
    }

    /**
     * The object with identity {@code id}; made now if it does not exist yet.
     *
     * @throws MissingObjectException if it cannot be had in this test
     * @throws Stop if replay cannot make it at all
     */
    Object object(long id) throws MissingObjectException {
        String lack = pool.incomplete(id);
        if (lack != null) {
            throw new MissingObjectException("object #" + id + " is incomplete: " + lack);
        }
        Object known = pool.get(id);
        if (known != null || pool.isNull(id)) {
            return known;
        }
        ObjectInfo info = session.objects.get(id);
        if (info == null) {
            throw Stop.unresolved(Why.HARNESS, "internal error: unknown object " + id);
        }
        Object made = make(info, info.content);
        lack = pool.incomplete(id);
        if (lack != null) {
            throw new MissingObjectException("object " + info + " is incomplete: " + lack);
        }
        return made;
    }

    /** Internal name of the class of the object with identity {@code id}. */
    String classOf(long id) {
        ObjectInfo info = session.objects.get(id);
        if (info == null) {
            throw Stop.unresolved(Why.HARNESS, "internal error: unknown object " + id);
        }
        return info.className;
    }

    /** Makes the object, or changes it, so that it holds {@code content}. */
    void setContent(long id, Content content) throws MissingObjectException {
        Object target = pool.get(id);
        ObjectInfo info = session.objects.get(id);
        if (target == null) {
            if (info == null) {
                throw Stop.unresolved(Why.HARNESS, "internal error: unknown object " + id);
            }
            make(info, content);
            return;
        }
        if (!content.isKnown()) {
            notes.doubt("object #" + id + " changed outside; its content was too large to be recorded");
            return;
        }
        pool.markComplete(id);
        if (content.kind == Content.Kind.FIELDS) {
            setFields(id, target, content);
        } else if (content.kind == Content.Kind.ARRAY) {
            fillArray(id, target, content.values);
        } else {
            fillNatural(id, target, content);
        }
    }

    /**
     * Stores an array element; booleans may be recorded as bytes, because one instruction stores both.
     *
     * @throws Stop if the array cannot hold it
     */
    static void store(Object array, int index, Object element) {
        try {
            if (array instanceof boolean[] && element instanceof Number) {
                ((boolean[]) array)[index] = ((Number) element).intValue() != 0;
            } else {
                Array.set(array, index, element);
            }
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw Stop.unresolved(Why.HARNESS, "an array does not take a recorded element: " + e);
        }
    }

    private Object make(ObjectInfo info, Content content) throws MissingObjectException {
        switch (info.role) {
            case OBSERVED:
            case GIVEN:
                return found(info);
            case RESTORED:
                return restored(info, content);
            case ARRAY:
                return array(info, content);
            case NATURAL:
                return natural(info, content);
            case TEXT:
                return text(info, info.content.text);
            case THROWABLE:
                return throwable(info);
            case FUNCTION:
                return function(info, content);
            default:
                return standIn(info);
        }
    }

    /** An object that observed code made and that nothing has named: the environment has it out of what it was given. */
    private Object found(ObjectInfo info) throws MissingObjectException {
        Object found = given == null ? null : given.find(type(info.className));
        if (found == null) {
            throw new MissingObjectException(
                    "observed object " + info + " does not exist: what makes it was left out");
        }
        if (notes.hasRoom()) {
            notes.add(info + " is taken for the first one of its class in what the environment was given");
        }
        return bound(info, found);
    }

    private Object standIn(ObjectInfo info) throws MissingObjectException {
        requireReplay(info, "code that was not recorded made it");
        Object made = standIns.make(info);
        pool.addMock(made);
        return bound(info, made);
    }

    private Object array(ObjectInfo info, Content content) throws MissingObjectException {
        if (!content.isKnown() && info.length > 0) {
            requireReplay(info, "its content was not recorded");
            requireOutside(info);
            notes.doubt("content of array " + info + " was not recorded; it starts with zeros");
        }
        Class<?> type = type(info.className);
        if (!type.isArray()) {
            throw Stop.unresolved(Why.HARNESS, info + " is recorded as array and is none");
        }
        int length = info.length >= 0 ? info.length : content.values.size();
        Object made = bound(info, Array.newInstance(type.getComponentType(), length));
        if (content.isKnown()) {
            fillArray(info.id, made, content.values);
        }
        return made;
    }

    private void fillArray(long id, Object array, List<Value> values) {
        int count = Math.min(values.size(), Array.getLength(array));
        for (int i = 0; i < count; i++) {
            try {
                recognition.element(values.get(i), Array.get(array, i));
                store(array, i, resolve(values.get(i)));
            } catch (MissingObjectException e) {
                pool.markIncomplete(id, "element " + i + ": " + e.getMessage());
            }
        }
    }

    /** An object of an observed class that no constructor made. */
    private Object restored(ObjectInfo info, Content content) throws MissingObjectException {
        requireReplay(info, "no constructor made it");
        if (content.kind != Content.Kind.FIELDS) {
            throw new MissingObjectException("object " + info + " has fields that were not recorded");
        }
        try {
            Object made = bound(info, RawAccess.allocate(type(info.className)));
            setFields(info.id, made, content);
            return made;
        } catch (InstantiationException e) {
            throw Stop.unresolved(Why.HARNESS, info + " cannot be made: " + e);
        }
    }

    private void setFields(long id, Object target, Content content) {
        for (int i = 0; i < content.values.size(); i++) {
            Content.FieldName field = content.fields.get(i);
            try {
                RawAccess.setField(type(field.className), field.name, target, resolve(content.values.get(i)));
            } catch (MissingObjectException e) {
                pool.markIncomplete(id, "field " + field.name + ": " + e.getMessage());
            } catch (ReflectiveOperationException | IllegalArgumentException | UnsupportedOperationException e) {
                throw Stop.unresolved(Why.HARNESS, "field " + field.name + " of object #" + id + " cannot be set: " + e);
            }
        }
    }

    private Object natural(ObjectInfo info, Content content) throws MissingObjectException {
        boolean handle = info.className.startsWith("java/lang/invoke/");
        if (content.kind == Content.Kind.TEXT && (handle || info.className.startsWith("java/lang/reflect/"))) {
            Object member = handle ? lookup.handle(content.text, info.className.contains("/VarHandle"))
                    : lookup.member(content.text);
            return member != null ? bound(info, member) : standIn(info);
        }
        if (content.kind == Content.Kind.TEXT) {
            return text(info, content.text);
        }
        if (info.isLambda()) {
            throw new MissingObjectException(info + " does not exist: observed code that makes it was left out");
        }
        Class<?> type = loader.namedOrNull(info.className);
        Object single = NaturalObjects.single(type);
        if (single == null) {
            single = loaderOfJvm(info.className);
        }
        if (single != null) {
            return bound(info, single);
        }
        if (!content.isKnown() || content.kind == Content.Kind.FIELDS) {
            requireReplay(info, "its content was not recorded");
            requireOutside(info);
        }
        Object made = NaturalObjects.empty(info.className, type, content.kind);
        if (made == null) {
            List<Object> values = new ArrayList<>();
            String lack = resolveAll(content.values, values);
            if (lack != null) {
                throw new MissingObjectException("object " + info + " is incomplete: " + lack);
            }
            return bound(info, NaturalObjects.fixed(info.className, content.kind, values));
        }
        if (type == null || !type.isInstance(made)) {
            notes.add(info + ": " + made.getClass().getName() + " takes its place");
        }
        bound(info, made);
        if (content.isKnown()) {
            fillNatural(info.id, made, content);
        } else {
            notes.doubt("content of " + info + " was not recorded; it starts empty");
        }
        return made;
    }

    /** The class loader of this replay that does what that of the recorded JVM did, if the class is that of such a one; else {@code null}. */
    private ClassLoader loaderOfJvm(String className) {
        switch (className) {
            case "jdk/internal/loader/ClassLoaders$AppClassLoader":
                return loader;
            case "jdk/internal/loader/ClassLoaders$PlatformClassLoader":
                return ClassLoader.getPlatformClassLoader();
            default:
                return null;
        }
    }

    private Object function(ObjectInfo info, Content content) throws MissingObjectException {
        List<Object> captured = new ArrayList<>();
        String lack = resolveAll(content.values, captured);
        if (lack != null) {
            throw new MissingObjectException("function " + info + " is incomplete: " + lack);
        }
        try {
            return bound(info, Functions.make(info.function, loader, captured));
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new MissingObjectException(info + " cannot be made: " + e);
        }
    }

    private void fillNatural(long id, Object target, Content content) {
        recognition.members(content, target);
        List<Object> values = new ArrayList<>();
        String lack = resolveAll(content.values, values);
        if (lack != null) {
            pool.markIncomplete(id, lack);
            return;
        }
        try {
            if (!NaturalObjects.refill(target, content, values)) {
                pool.markIncomplete(id, target.getClass().getName() + " cannot be given its recorded content");
            }
        } catch (ClassCastException | NullPointerException e) {
            // For instance a sorted collection whose comparator is not known.
            pool.markIncomplete(id, target.getClass().getName() + " does not take its recorded content: " + e);
        }
    }

    /** Resolves {@code values} into {@code into}; what is missing is said in the result, {@code null} if nothing is. */
    private String resolveAll(List<Value> values, List<Object> into) {
        String lack = null;
        for (Value value : values) {
            try {
                into.add(resolve(value));
            } catch (MissingObjectException e) {
                lack = e.getMessage();
            }
        }
        return lack;
    }

    private Object text(ObjectInfo info, String text) throws MissingObjectException {
        Class<?> type = loader.namedOrNull(info.className);
        if (type == null && info.className.matches(".*\\$\\d+")) {
            // The class of an enum constant with a body, where this JDK's constant has none.
            type = loader.namedOrNull(info.className.substring(0, info.className.lastIndexOf('$')));
        }
        if (type == null) {
            throw Stop.unresolved(Why.HARNESS, info + " cannot be made from \"" + text + "\": no such class here");
        }
        try {
            Class<?> enumType = TextValues.enumType(type);
            // A constant may have a class of its own, which can be the environment's while the enum runs.
            if (enumType != null && (loader.isEnvironment(enumType) || loader.isEnvironment(type))) {
                return environmentConstant(info, enumType, text);
            }
            Object made = type == Class.class ? type(text.replace('.', '/')) : TextValues.constant(type, text);
            if (made == null) {
                made = TextValues.make(type, text);
            }
            if (made != null) {
                return bound(info, made);
            }
        } catch (InvocationTargetException | IllegalArgumentException e) {
            throw Stop.unresolved(Why.HARNESS, info + " cannot be made from \"" + text + "\": " + e);
        }
        throw Stop.unresolved(Why.HARNESS, info + " cannot be made from \"" + text + "\": no way is known");
    }

    /** A constant of an enum whose code does not run: a stand-in that knows its name and place. */
    private Object environmentConstant(ObjectInfo info, Class<?> enumType, String name) throws MissingObjectException {
        Object made = standIn(info);
        int ordinal = 0;
        for (Field field : enumType.getDeclaredFields()) {
            if (field.isEnumConstant()) {
                if (field.getName().equals(name)) {
                    break;
                }
                ordinal++;
            }
        }
        RawAccess.set(Enum.class, "name", made, name);
        RawAccess.set(Enum.class, "ordinal", made, ordinal);
        return made;
    }

    private Object throwable(ObjectInfo info) throws MissingObjectException {
        Class<?> type = type(info.className);
        if (!Throwable.class.isAssignableFrom(type)) {
            throw Stop.unresolved(Why.HARNESS, info + " is recorded as throwable and is none");
        }
        try {
            Throwable made = Throwables.make(type, info.thrown);
            if (loader.isEnvironment(type)) {
                pool.addMock(made);
            }
            bound(info, made);
            if (info.thrown.cause != 0 && info.thrown.cause != info.id) {
                Throwables.setCause(made, (Throwable) object(info.thrown.cause));
            }
            return made;
        } catch (InstantiationException | IllegalStateException | UnsupportedOperationException e) {
            throw Stop.unresolved(Why.HARNESS, info + " cannot be made: " + e);
        }
    }

    /** Whether everything runs for real. */
    boolean runsForReal() {
        return session.isDirect();
    }

    /** What is run for real meets no object that only a replay can make. */
    private void requireReplay(ObjectInfo info, String why) throws MissingObjectException {
        if (session.isDirect()) {
            throw new MissingObjectException(info + " cannot be made for real: " + why);
        }
    }

    private void requireOutside(ObjectInfo info) throws MissingObjectException {
        if (info.madeInside) {
            throw new MissingObjectException(info + " does not exist: observed code that makes it was left out");
        }
    }

    private Class<?> type(String internal) {
        try {
            return loader.named(internal);
        } catch (ClassNotFoundException e) {
            throw Stop.unresolved(Why.HARNESS, "class " + internal + " does not exist here");
        }
    }

    private Object bound(ObjectInfo info, Object made) {
        pool.bind(info.id, made);
        return made;
    }
}
