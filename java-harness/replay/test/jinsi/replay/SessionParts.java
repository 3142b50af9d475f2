package jinsi.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a session is made of, for tests. */
final class SessionParts {
    final Set<String> observed = new LinkedHashSet<>();
    final Map<String, ClassEntry> classes = new LinkedHashMap<>();
    final Map<Integer, Bridge> bridges = new LinkedHashMap<>();
    final Map<Integer, Trap> traps = new LinkedHashMap<>();
    final Map<Long, ObjectInfo> objects = new TreeMap<>();
    final Map<String, List<Outgoing>> classInits = new LinkedHashMap<>();
    final List<Effect> statics = new ArrayList<>();
    final List<Interaction> interactions = new ArrayList<>();
    final List<Effect> setUp = new ArrayList<>();
    final List<Outgoing> answers = new ArrayList<>();
    Predicate predicate = new Predicate("no.such.Failure", null, 0, "no.Where", "never", 0, false, List.of());
    boolean script;
}
