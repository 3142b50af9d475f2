package classes;

import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts rewritten classes into the running JDK itself: those not loaded yet when they load, the others by redefinition. {@code Jdk
 * rewritten BUNDLE} does so and links every class; {@code Jdk original BUNDLE} links the classes of these names as they are. Prints
 * "refused", name and reason for each that does not link, "kept" and name for each that was not replaced, and "done" with the number of
 * those that link. Verification has to be switched on for all classes. The probes must do nothing: the JDK runs with them.
 */
public final class Jdk {
    private static final int BATCH = 100;

    private static Instrumentation instrumentation;

    private Jdk() {}

    public static void premain(String args, Instrumentation given) {
        instrumentation = given;
    }

    public static void main(String[] args) throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (Bundle.Entry entry : Bundle.read(Path.of(args[1]))) {
            classes.put(entry.name(), entry.bytes());
            names.add(entry.name());
        }
        boolean rewritten = args[0].equals("rewritten");
        Exchange exchange = new Exchange(classes);
        if (rewritten) {
            instrumentation.addTransformer(exchange, true);
        }
        List<Class<?>> loaded = new ArrayList<>();
        int linked = 0;
        for (String name : names) {
            try {
                Class<?> c = Class.forName(name.replace('/', '.'), false, ClassLoader.getSystemClassLoader());
                loaded.add(c);
                Worker.link(c);
                linked++;
            } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
                say("refused", name, e);
            }
        }
        if (rewritten) {
            linked -= redefineOthers(loaded, exchange);
        }
        System.out.println("done\t" + linked);
    }

    /** Redefines the classes that were loaded before; how many the JVM refuses. */
    private static int redefineOthers(List<Class<?>> loaded, Exchange exchange) {
        List<ClassDefinition> others = new ArrayList<>();
        for (Class<?> c : loaded) {
            String name = c.getName().replace('.', '/');
            if (!exchange.done.contains(name)) {
                others.add(new ClassDefinition(c, exchange.classes.get(name)));
            }
        }
        int refused = 0;
        for (int from = 0; from < others.size(); from += BATCH) {
            refused += redefine(others.subList(from, Math.min(from + BATCH, others.size())));
        }
        return refused;
    }

    /** Redefines classes together, or if the JVM refuses that, in smaller parts. */
    private static int redefine(List<ClassDefinition> classes) {
        try {
            instrumentation.redefineClasses(classes.toArray(new ClassDefinition[0]));
            return 0;
        } catch (ClassNotFoundException | UnmodifiableClassException | LinkageError | RuntimeException e) {
            if (classes.size() == 1) {
                String name = classes.get(0).getDefinitionClass().getName().replace('.', '/');
                if (e instanceof UnsupportedOperationException || e instanceof UnmodifiableClassException) {
                    // Somebody else has changed the class since it was loaded: Flight Recorder does.
                    System.out.println("kept\t" + name);
                    return 0;
                }
                say("refused", name, e);
                return 1;
            }
            int half = classes.size() / 2;
            return redefine(classes.subList(0, half)) + redefine(classes.subList(half, classes.size()));
        }
    }

    private static void say(String what, String name, Throwable e) {
        String why = e.toString().lines().limit(3).reduce((a, b) -> a + " " + b.strip()).orElse("");
        System.out.println(what + "\t" + name + "\t" + why);
    }

    /** Hands out rewritten classes. */
    private static final class Exchange implements ClassFileTransformer {
        final Map<String, byte[]> classes;
        final Set<String> done = ConcurrentHashMap.newKeySet();

        Exchange(Map<String, byte[]> classes) {
            this.classes = classes;
        }

        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> c, ProtectionDomain domain, byte[] bytes) {
            byte[] rewritten = name == null ? null : classes.get(name);
            if (rewritten != null) {
                done.add(name);
            }
            return rewritten;
        }
    }
}
