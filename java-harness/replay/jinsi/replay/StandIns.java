package jinsi.replay;

import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.BaseStream;

/**
 * Makes stand-ins for objects of the environment: the real class without its constructor. Where that class does not
 * exist (a lambda's, or one of another JDK), a proxy of the interfaces that the session asks of the object, or the
 * nearest class.
 */
final class StandIns {
    /** Whether stand-ins are distinguished by the class that was recorded, for whoever records the replay. */
    private static final boolean DISTINGUISHED = Boolean.getBoolean("jinsi.replay.recorded");

    private final Session session;
    private final ReplayLoader loader;
    private final InvocationHandler handler;
    private final Notes notes;
    private final Map<String, ClassLoader> loaders = new HashMap<>();
    private final Map<String, String> classes = new TreeMap<>();

    /**
     * @param handler gets the calls that reach a proxy
     */
    StandIns(Session session, ReplayLoader loader, InvocationHandler handler, Notes notes) {
        this.session = session;
        this.loader = loader;
        this.handler = handler;
        this.notes = notes;
    }

    /**
     * A stand-in for the object that {@code info} describes.
     *
     * @throws Stop if nothing can stand in for it
     */
    Object make(ObjectInfo info) {
        Class<?> type = null;
        try {
            type = loader.named(info.className);
            Object sink = sink(type);
            if (sink != null) {
                return sink;
            }
            return isContainer(type) ? proxy(info, type) : RawAccess.allocate(type);
        } catch (ClassNotFoundException | InstantiationException e) {
            return substitute(info, type);
        }
    }

    /**
     * A stand-in that swallows what natural code writes into it (a throwable its stack trace), if {@code type} is one of the JDK's for that; else
     * {@code null}.
     */
    private static Object sink(Class<?> type) {
        if (type == PrintWriter.class) {
            return new PrintWriter(Writer.nullWriter());
        }
        if (type == PrintStream.class) {
            return new PrintStream(OutputStream.nullOutputStream());
        }
        return null;
    }

    /**
     * Whether natural code would look into an instance, and find it empty: a collection, map, iterator or stream of the JDK's whose
     * content is not known.
     */
    static boolean isContainer(Class<?> type) {
        return type.getClassLoader() == null && (Collection.class.isAssignableFrom(type)
                || Map.class.isAssignableFrom(type) || Map.Entry.class.isAssignableFrom(type)
                || Iterator.class.isAssignableFrom(type) || BaseStream.class.isAssignableFrom(type));
    }

    /** A proxy of all interfaces, so that what it is asked is not answered by what it does not hold. */
    private Object proxy(ObjectInfo info, Class<?> type) throws InstantiationException {
        for (String name : info.types) {
            Class<?> asked = find(name);
            if (asked != null && !asked.isInterface() && asked != Object.class) {
                return RawAccess.allocate(type);
            }
        }
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Class<?> candidate : at.getInterfaces()) {
                if (Modifier.isPublic(candidate.getModifiers())) {
                    interfaces.add(candidate);
                }
            }
        }
        return proxy(info, interfaces);
    }

    /**
     * A proxy. Where the replay is recorded, there is one class of proxies for each recorded class, because that is what the recording
     * has to tell.
     */
    private Object proxy(ObjectInfo info, Set<Class<?>> interfaces) {
        Class<?>[] all = interfaces.toArray(new Class<?>[0]);
        if (!DISTINGUISHED) {
            return Proxy.newProxyInstance(loader, all, handler);
        }
        Object made;
        try {
            ClassLoader own = loaders.computeIfAbsent(info.className, name -> new ClassLoader(loader) { });
            made = Proxy.newProxyInstance(own, all, handler);
        } catch (IllegalArgumentException e) {
            // An interface that is not public wants a class beside it.
            made = Proxy.newProxyInstance(loader, all, handler);
        }
        classes.put(made.getClass().getName().replace('.', '/'), info.className);
        return made;
    }

    /** Internal names of the classes of proxies, and of the recorded classes in whose place they are; if the replay is recorded. */
    Map<String, String> classes() {
        return classes;
    }

    private Object substitute(ObjectInfo info, Class<?> own) {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        Class<?> nearest = null;
        if (own != null && own.isInterface()) {
            interfaces.add(own);
        }
        for (String name : info.types) {
            Class<?> type = find(name);
            if (type != null && type.isInterface()) {
                interfaces.add(type);
            } else if (type != null && (nearest == null || nearest.isAssignableFrom(type))) {
                nearest = type;
            }
        }
        try {
            if (nearest != null && nearest != Object.class) {
                Object made = RawAccess.allocate(nearest);
                notes.add(info + ": its class does not exist here; " + nearest.getName() + " stands in");
                return made;
            }
            if (!interfaces.isEmpty()) {
                Object made = proxy(info, interfaces);
                if (info.role != ObjectInfo.Role.HIDDEN) {
                    notes.add(info + ": its class does not exist here; a proxy of " + interfaces + " stands in");
                }
                return made;
            }
        } catch (InstantiationException | IllegalArgumentException e) {
            throw Stop.unresolved(Why.HARNESS, "nothing can stand in for " + info + ": " + e.getMessage());
        }
        if (nearest == Object.class || own == null && info.types.isEmpty()) {
            return new Object();
        }
        throw Stop.unresolved(Why.HARNESS, "nothing can stand in for " + info + ": its class does not exist here");
    }

    /** Whether {@code standIn} takes the place of a container of the JDK's. */
    static boolean isContainer(Object standIn) {
        return standIn != null && Proxy.isProxyClass(standIn.getClass()) && (standIn instanceof Collection
                || standIn instanceof Map || standIn instanceof Map.Entry);
    }

    private Class<?> find(String name) {
        try {
            return loader.named(name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
