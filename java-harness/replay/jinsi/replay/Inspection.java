package jinsi.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Looks at the objects of a test and what can be reached from them: for failures that are no exceptions (docs/oracles.md). */
final class Inspection {
    private final Engine engine;
    private final Session session;
    private final ReplayLoader loader;
    private final ObjectPool pool;
    private final ObjectMaker maker;

    Inspection(Engine engine, Session session, ReplayLoader loader, ObjectPool pool, ObjectMaker maker) {
        this.engine = engine;
        this.session = session;
        this.loader = loader;
        this.pool = pool;
        this.maker = maker;
    }

    /** What can be reached from {@code root}; see {@link MemoryGraph}. */
    String graph(Object root) {
        return engine.undisturbed(() -> MemoryGraph.of(root, loader, pool));
    }

    /** The receiver and the arguments of {@code i} as they are before it, each a graph; what replay cannot have is left out. */
    String situation(Interaction i) {
        StringBuilder text = new StringBuilder();
        List<Value> values = new ArrayList<>(i.args);
        values.add(0, i.receiver);
        for (Value value : values) {
            try {
                text.append(graph(maker.resolve(value))).append('\n');
            } catch (MissingObjectException | Stop e) {
                text.append("missing\n");
            }
        }
        return text.toString();
    }

    /**
     * What can be reached from the object with this identity. If this test has none: the same of all objects of the class that can be
     * reached, one behind the other; {@code null} if that is {@code null}.
     */
    String graphOf(long id, String className) {
        Object root = pool.get(id);
        if (root != null || className == null) {
            return root == null ? null : graph(root);
        }
        StringBuilder text = new StringBuilder();
        for (Object object : engine.undisturbed(this::reachable)) {
            if (object.getClass().getName().equals(className)) {
                text.append(graph(object));
            }
        }
        return text.toString();
    }

    /** The same from the static fields of the class with this binary name; {@code null} if the test has not initialized it. */
    String graphOfClass(String className) {
        Class<?> type = loader.loadedCode(className);
        boolean readable = type != null && isInitialized(type);
        return readable ? engine.undisturbed(() -> MemoryGraph.ofClass(type, loader, pool)) : null;
    }

    /** Whether the predicate of the user's holds of an object that can be reached. */
    boolean satisfies(UserPredicate predicate) throws ReflectiveOperationException, IOException {
        try {
            return engine.<Boolean, Exception>undisturbed(() -> predicate.holdsOfAny(reachable(), loader));
        } catch (ReflectiveOperationException | IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether reading a static field of {@code type} runs no initializer. */
    private boolean isInitialized(Class<?> type) {
        for (Class<?> at = type; at != null && loader.isCode(at); at = at.getSuperclass()) {
            String name = at.getName();
            if (session.classes.get(name).hasInitializer() && !engine.hasBegun(name.replace('.', '/'))) {
                return false;
            }
        }
        return true;
    }

    /** The objects with an identity, what is in static fields, and all that can be reached from these. */
    private Set<Object> reachable() {
        List<Object> roots = new ArrayList<>(Arrays.asList(pool.objects()));
        for (String name : session.classes.keySet()) {
            Class<?> type = loader.loadedCode(name);
            if (type != null && isInitialized(type)) {
                roots.add(type);
            }
        }
        return MemoryGraph.reachable(roots, loader, pool);
    }
}
