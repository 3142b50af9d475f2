package jinsi.replay;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The classes of today: those on the class path of a written test, rewritten as they are loaded. What is answered are questions, so code may
 * have changed in any way; what was recorded says how a class takes part, and which of the recorded places one of today may be.
 */
final class Today {
    private final Session session;
    /** The class path of the test. */
    private final ClassLoader path;
    private final ClassLoader jdk;
    /** The recorded places by what holds them. */
    private final Map<Member, List<Bridge>> recorded = new HashMap<>();
    /** Class files by internal name; {@code null} for what the class path does not have, or the JDK has. */
    private final Map<String, byte[]> files = new HashMap<>();
    private final Map<String, ClassHeader> headers = new HashMap<>();
    private int bridges;
    private int traps;

    /**
     * @param path loader of the test class
     * @param jdk loader of the JDK's classes
     * @throws IllegalStateException if nothing can be rewritten on this machine
     */
    Today(Session session, ClassLoader path, ClassLoader jdk) {
        Rewriter.load();
        this.session = session;
        this.path = path;
        this.jdk = jdk;
        for (Bridge bridge : session.bridges.values()) {
            recorded.computeIfAbsent(bridge.holder, holder -> new ArrayList<>()).add(bridge);
            bridges = Math.max(bridges, bridge.no);
        }
        for (int no : session.traps.keySet()) {
            traps = Math.max(traps, no);
        }
    }

    /**
     * The class with this binary name, rewritten.
     *
     * @return {@code null} if the class path does not have it
     * @throws Stop if it cannot be rewritten
     */
    synchronized ClassEntry entry(String name) {
        String internal = name.replace('.', '/');
        byte[] file = file(internal);
        if (file == null) {
            return null;
        }
        ClassEntry known = session.classes.get(name);
        Part part = part(internal);
        boolean same = part.isOf(file);
        ClassEntry entry;
        if (part.role == Codes.PART_NATURAL) {
            entry = new ClassEntry(name, false, false, file);
        } else if (same && part.role == Codes.PART_ENVIRONMENT && known != null) {
            entry = known;
        } else {
            boolean environment = part.role == Codes.PART_ENVIRONMENT;
            entry = new ClassEntry(name, environment, false, rewritten(internal, file, same));
        }
        session.classes.put(name, entry);
        return entry;
    }

    private Part part(String internal) {
        return session.parts.getOrDefault(internal.replace('/', '.'), Part.OF_NEW);
    }

    private byte[] rewritten(String internal, byte[] file, boolean same) {
        try {
            byte[] answer = Rewriter.answer(question(internal, file));
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(answer));
            if (in.readUnsignedByte() != 0) {
                throw cannot(internal, text(in));
            }
            byte[] bytes = in.readNBytes(in.readInt());
            for (int n = in.readInt(); n != 0; n--) {
                Op op = Op.of(in.readUnsignedByte());
                Member member = new Member(text(in), text(in), text(in));
                Member holder = new Member(internal, text(in), text(in));
                int bci = in.readUnsignedShort();
                int line = in.readUnsignedShort();
                session.bridges.put(++bridges,
                        new Bridge(bridges, op, member, holder, bci, line, 0, places(op, member, holder, same ? bci : -1)));
            }
            for (int n = in.readInt(); n != 0; n--) {
                Op op = Op.of(in.readUnsignedByte());
                session.traps.put(++traps, new Trap(op, new Member(text(in), text(in), text(in))));
            }
            return bytes;
        } catch (IOException e) {
            throw cannot(internal, e.toString());
        }
    }

    private static Stop cannot(String internal, String why) {
        return Stop.unresolved(Why.HARNESS, internal.replace('/', '.') + " of today cannot run against the recording: " + why);
    }

    /** The recorded sites that a place may be: of code that is the recorded one, the same; else those in its method that do the same. */
    private Set<Integer> places(Op op, Member member, Member holder, int bci) {
        Set<Integer> sites = new HashSet<>();
        for (Bridge bridge : recorded.getOrDefault(holder, List.of())) {
            if (bridge.op == op && bridge.member.equals(member) && bridge.site != 0 && (bci < 0 || bridge.bci == bci)) {
                sites.add(bridge.site);
            }
        }
        return sites;
    }

    /** A question to the rewriter: see {@code analysis/rewrite/src/today.rs}. */
    private byte[] question(String internal, byte[] file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        byte[] rules = session.rules.getBytes(StandardCharsets.UTF_8);
        out.writeInt(rules.length);
        out.write(rules);
        out.writeInt(bridges);
        out.writeInt(traps);
        boolean alone = part(internal).role == Codes.PART_ENVIRONMENT;
        Map<String, byte[]> all = alone ? Map.of(internal, file) : around(internal, file);
        out.writeInt(all.size());
        for (Map.Entry<String, byte[]> one : all.entrySet()) {
            Part part = part(one.getKey());
            out.writeByte(part.role);
            out.writeByte(part.flags);
            out.writeInt(one.getValue().length);
            out.write(one.getValue());
        }
        return bytes.toByteArray();
    }

    /** The class, those that it names, and all supertypes, as far as they are not the JDK's. */
    private Map<String, byte[]> around(String internal, byte[] file) throws IOException {
        Map<String, byte[]> all = new LinkedHashMap<>();
        all.put(internal, file);
        Deque<String> open = new ArrayDeque<>(header(internal, file).named);
        while (!open.isEmpty()) {
            String name = open.poll();
            byte[] found = all.containsKey(name) ? null : file(name);
            if (found != null) {
                all.put(name, found);
                open.addAll(header(name, found).supertypes);
            }
        }
        return all;
    }

    private ClassHeader header(String internal, byte[] file) throws IOException {
        ClassHeader known = headers.get(internal);
        if (known == null) {
            known = new ClassHeader(file);
            headers.put(internal, known);
        }
        return known;
    }

    /** The class file on the class path; of a class that was environment and is not there any more, none. */
    private byte[] file(String internal) {
        if (!files.containsKey(internal)) {
            files.put(internal, isOfJdk(internal) ? null : read(internal));
        }
        return files.get(internal);
    }

    private boolean isOfJdk(String internal) {
        boolean isRecorded = session.parts.containsKey(internal.replace('/', '.'));
        return !isRecorded && jdk.getResource(internal + ".class") != null;
    }

    private byte[] read(String internal) {
        try (InputStream in = path.getResourceAsStream(internal + ".class")) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            return null;
        }
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
