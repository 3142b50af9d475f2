package jinsi.replay;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Finds recorded objects among those that observed code has made. What it puts into an array or a natural container gets no identity in
 * the recording until somebody outside sees it there: then it is the object that is in this place, not another one of its kind.
 */
final class Recognition {
    /** In the names of classes of lambdas, behind that of the class which makes them. */
    private static final String LAMBDA = "$$Lambda";
    /** How the names of the fields begin that have what a lambda has captured. */
    private static final String CAPTURED = "arg$";

    private final Session session;
    private final ObjectPool pool;
    private final MemberLookup lookup;

    Recognition(Session session, ObjectPool pool, MemberLookup lookup) {
        this.session = session;
        this.pool = pool;
        this.lookup = lookup;
    }

    /** The container {@code there} is recorded with {@code content}: what it holds gets its identities. */
    void members(Content content, Object there) {
        List<Object> held = content.kind == Content.Kind.FIELDS ? fields(content, there) : held(content.kind, there);
        if (held.size() == content.values.size()) {
            for (int i = 0; i < held.size(); i++) {
                element(content.values.get(i), held.get(i));
            }
        }
    }

    /** In the place of {@code there}, {@code value} is recorded: if neither belongs elsewhere and they look the same, they are. */
    void element(Value value, Object there) {
        ObjectInfo info = value.kind == Value.Kind.OBJECT ? session.objects.get(value.id) : null;
        if (info == null || there == null || !looksLike(info, there) || !pool.bind(info.id, there)) {
            return;
        }
        if (info.isLambda()) {
            List<Object> captured = captured(there);
            for (int i = 0; i < captured.size(); i++) {
                element(info.content.values.get(i), captured.get(i));
            }
        } else {
            members(info.content, there);
        }
    }

    /** What a lambda has captured, in the order of its body's parameters. */
    static List<Object> captured(Object lambda) {
        List<Object> captured = new ArrayList<>();
        for (Field field : lambda.getClass().getDeclaredFields()) {
            if (field.getName().startsWith(CAPTURED) && field.trySetAccessible()) {
                captured.add(RawAccess.read(field, lambda));
            }
        }
        return captured;
    }

    /** Whether {@code there}, which has no identity yet, can be the object that {@code info} describes, and that does not exist yet. */
    private boolean looksLike(ObjectInfo info, Object there) {
        if (pool.get(info.id) != null || pool.idOf(there) != 0) {
            return false;
        }
        if (info.role == ObjectInfo.Role.NATURAL && info.className.startsWith("java/lang/reflect/")) {
            // Reflection makes a new object for a member each time it is asked.
            return info.content.kind == Content.Kind.TEXT && there.equals(lookup.member(info.content.text));
        }
        String name = there.getClass().getName().replace('.', '/');
        if (info.isLambda()) {
            // The rest of the name is another one each time.
            String host = info.className.substring(0, info.className.indexOf(LAMBDA));
            return name.startsWith(host + LAMBDA) && captured(there).size() == info.content.values.size();
        }
        if (!name.equals(info.className)) {
            return false;
        }
        switch (info.role) {
            case OBSERVED:
                return true;
            case ARRAY:
                return info.length == Array.getLength(there);
            case TEXT:
            case NATURAL:
                return mayHold(info.content, there);
            default:
                return false;
        }
    }

    private static boolean mayHold(Content content, Object there) {
        switch (content.kind) {
            case TEXT:
                return there.toString().equals(content.text);
            case FIELDS:
                return true;
            default:
                return !content.isKnown() || held(content.kind, there).size() == content.values.size();
        }
    }

    /** What the fields of an object of the JDK's hold that {@code content} names; {@code null} for one that this JDK's class does not have. */
    private static List<Object> fields(Content content, Object there) {
        List<Object> held = new ArrayList<>();
        for (Content.FieldName field : content.fields) {
            Class<?> owner = there.getClass();
            while (owner != null && !owner.getName().replace('.', '/').equals(field.className)) {
                owner = owner.getSuperclass();
            }
            try {
                held.add(owner == null ? null : RawAccess.get(owner.getDeclaredField(field.name), there));
            } catch (NoSuchFieldException e) {
                held.add(null);
            }
        }
        return held;
    }

    /** What {@code container} holds, in the form and order that contents of this kind have; nothing if it has another form. */
    static List<Object> held(Content.Kind kind, Object container) {
        List<Object> held = new ArrayList<>();
        if (kind == Content.Kind.ARRAY && container instanceof Object[]) {
            held.addAll(Arrays.asList((Object[]) container));
        } else if (kind == Content.Kind.ELEMENTS && container instanceof Collection) {
            Iterator<?> elements = ((Collection<?>) container).iterator();
            while (elements.hasNext()) {
                held.add(elements.next());
            }
        } else if (kind == Content.Kind.ENTRIES && container instanceof Map) {
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) container).entrySet()) {
                held.add(entry.getKey());
                held.add(entry.getValue());
            }
        }
        return held;
    }
}
