package jinsi.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** The objects of a session by identity; decoded when first asked for. */
final class ObjectTable {
    private final SessionReader reader;
    private final long[] ids;
    private final int[] places;
    private final Map<Long, ObjectInfo> known = new HashMap<>();
    private final Map<Long, ObjectInfo> changed = new HashMap<>();

    /** Of objects with ascending {@code ids}. */
    ObjectTable(SessionReader reader, long[] ids, int[] places) {
        this.reader = reader;
        this.ids = ids;
        this.places = places;
    }

    /** The object with identity {@code id}, or {@code null}. */
    synchronized ObjectInfo get(long id) {
        ObjectInfo info = changed.isEmpty() ? null : changed.get(id);
        if (info == null) {
            info = known.get(id);
        }
        int index = info == null ? indexOf(id) : -1;
        if (index >= 0) {
            try {
                info = reader.objectAt(places[index]);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            known.put(id, info);
        }
        return info;
    }

    /** From now on the object with identity {@code id} holds {@code content}. */
    synchronized void change(long id, Content content) throws SessionFormatException {
        ObjectInfo info = get(id);
        if (info == null) {
            throw new SessionFormatException("the session has no object " + id);
        }
        int length = info.length < 0 ? -1 : content.values.size();
        changed.put(id, new ObjectInfo(id, info.className, length, info.role, content, info.thrown, info.function,
                info.madeInside, info.types));
    }

    /** Everything is as it was read. */
    synchronized void restore() {
        changed.clear();
    }

    private int indexOf(long id) {
        int low = 0;
        int high = ids.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Long.compareUnsigned(ids[middle], id);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
