package jinsi.replay;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.ExecutorService;

/**
 * The objects of one test by recorded identity, and the identity of each object. One to one, by object identity;
 * references are strong, because the recorded holders do not exist.
 */
final class ObjectPool {
    private final Map<Long, Object> byId = new HashMap<>();
    private final Map<Object, Long> ids = new IdentityHashMap<>();
    private final Set<Object> mocks = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Long, String> incomplete = new HashMap<>();
    private final Set<Long> nulls = new HashSet<>();
    private final Map<String, String> texts = new HashMap<>();

    /** The object with identity {@code id}, or {@code null} if there is none yet. */
    Object get(long id) {
        return byId.get(id);
    }

    /** All objects that have an identity. */
    Object[] objects() {
        return byId.values().toArray();
    }

    /** Ends the threads of the JDK's pools and timers among the objects: the test is over. */
    void endThreads() {
        for (Object object : objects()) {
            boolean isOfJdk = object.getClass().getClassLoader() == null;
            if (isOfJdk && object instanceof ExecutorService) {
                ((ExecutorService) object).shutdownNow();
            } else if (isOfJdk && object instanceof Timer) {
                ((Timer) object).cancel();
            }
        }
    }

    /** The identity of {@code object}, 0 if it has none. */
    long idOf(Object object) {
        return ids.getOrDefault(object, 0L);
    }

    /**
     * Gives {@code object} the identity {@code id}, if both are free or already belong together.
     *
     * @return whether they belong together now
     */
    boolean bind(long id, Object object) {
        Object there = byId.get(id);
        if (there != null || ids.containsKey(object)) {
            return there == object;
        }
        byId.put(id, object);
        ids.put(object, id);
        return true;
    }

    /** Says that {@code id} stands for {@code null} in this test. */
    void bindNull(long id) {
        nulls.add(id);
    }

    /** Whether {@code id} stands for {@code null}. */
    boolean isNull(long id) {
        return nulls.contains(id);
    }

    /**
     * The string object that stands for a recorded text, of which the recording has no identity: the one that crossed the edge last with
     * these characters.
     */
    String text(String characters) {
        String known = texts.putIfAbsent(characters, characters);
        return known == null ? characters : known;
    }

    /** A string object has crossed the edge. */
    void crossed(String text) {
        texts.put(text, text);
    }

    /** Marks {@code object} as a stand-in. */
    void addMock(Object object) {
        mocks.add(object);
    }

    /** Whether {@code object} is a stand-in, for which the session answers. */
    boolean isMock(Object object) {
        return mocks.contains(object);
    }

    /** Says that an object lacks something that could not be made, and must not be used. */
    void markIncomplete(long id, String reason) {
        incomplete.putIfAbsent(id, reason);
    }

    /** Says that an object holds all it should again. */
    void markComplete(long id) {
        incomplete.remove(id);
    }

    /** What an object lacks, or {@code null}. */
    String incomplete(long id) {
        return incomplete.isEmpty() ? null : incomplete.get(id);
    }
}
