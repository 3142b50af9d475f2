package jinsi.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A session: everything that one level, or one written test, needs for replay. All tests of a level share
 * it. The format is described in java-harness/SESSION.md.
 */
final class Session {
    /** Whether it belongs to a written test. */
    final boolean script;
    /** Where the classes come from that are not the session's, if its interactions are run for real; else {@code null}. */
    final Libraries libraries;
    /** What is set before each test, if its interactions are run for real. */
    final List<Setting> surroundings;
    /** Internal names of the observed classes. */
    final Set<String> observed;
    /** Rewritten classes by binary name. */
    final Map<String, ClassEntry> classes;
    /** Bridges by number. */
    final Map<Integer, Bridge> bridges;
    /** Traps by number. */
    final Map<Integer, Trap> traps;
    /** Objects by identity. */
    final ObjectTable objects;
    /** What class initializers asked, by internal name of the class. */
    final Map<String, List<Outgoing>> classInits;
    /** What writes the static fields of classes whose initializers do not run. */
    final List<Effect> statics;
    /** Driven interactions in order; none if they are read a stretch at a time. */
    final InteractionTable interactions;
    /** Files with the interactions, if they are read a stretch at a time; else there are none. */
    final List<String> stretches;
    /** The salt of the recorded JVM's immutable sets and maps plus one; 0 if it is not known. */
    final long salt;
    /** Where recorded threads wait for each other in the midst of observed code, by number of the thread. */
    final Map<Integer, Meetings> meetings;
    /** The recorded failure. */
    final Predicate predicate;
    /** Script only: what happens before the test. */
    final List<Effect> setUp;
    /** Script only: the answers in the order in which the test asks. */
    final List<Outgoing> answers;
    /** Script only: the user's rules about natural classes. */
    final String rules;
    /** Script only: how the recorded classes took part, by binary name. */
    final Map<String, Part> parts;

    Session(boolean script, Libraries libraries, List<Setting> surroundings, long salt, Set<String> observed, Map<String, ClassEntry> classes, Map<Integer, Bridge> bridges,
            Map<Integer, Trap> traps, ObjectTable objects, Map<String, List<Outgoing>> classInits, List<Effect> statics,
            InteractionTable interactions, List<String> stretches, Map<Integer, Meetings> meetings, Predicate predicate, List<Effect> setUp, List<Outgoing> answers, String rules,
            Map<String, Part> parts) {
        this.script = script;
        this.libraries = libraries;
        this.surroundings = surroundings;
        this.salt = salt;
        this.observed = observed;
        this.classes = classes;
        this.bridges = bridges;
        this.traps = traps;
        this.objects = objects;
        this.classInits = classInits;
        this.statics = statics;
        this.interactions = interactions;
        this.stretches = stretches;
        this.meetings = meetings;
        this.predicate = predicate;
        this.setUp = setUp;
        this.answers = answers;
        this.rules = rules;
        this.parts = parts;
    }

    /** Whether interactions are run for real: nothing is answered, and nothing stands in for anything. */
    boolean isDirect() {
        return libraries != null;
    }

    /**
     * Reads a session file.
     *
     * @throws SessionFormatException if it is damaged or of another version
     * @throws IOException if it cannot be read
     */
    static Session read(Path file) throws IOException {
        return SessionReader.read(Files.readAllBytes(file));
    }

    /**
     * From now on, what {@code changes} say takes the place of what was read.
     *
     * @throws SessionFormatException if they are damaged, or change what the session does not have
     */
    void vary(byte[] changes) throws SessionFormatException {
        objects.restore();
        interactions.restore();
        SessionReader.vary(changes, this);
    }
}
