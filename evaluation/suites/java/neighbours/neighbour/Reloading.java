package neighbour;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.IllegalClassFormatException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;

/**
 * An agent that defines the classes of the program anew while they run, as tools for reloading do: whenever a further class of the program is loaded, all
 * earlier ones are redefined by their files and then retransformed.
 */
public final class Reloading implements ClassFileTransformer {
    private final Instrumentation instrumentation;
    private final ThreadLocal<Boolean> within = ThreadLocal.withInitial(() -> false);

    private Reloading(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** Begins before the program. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new Reloading(instrumentation));
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes)
            throws IllegalClassFormatException {
        if (redefined == null && name != null && name.startsWith("parcels/") && !within.get()) {
            within.set(true);
            try {
                reload(loader);
            } catch (IOException | ClassNotFoundException | UnmodifiableClassException e) {
                throw new IllegalStateException(e);
            } finally {
                within.set(false);
            }
        }
        return null;
    }

    private void reload(ClassLoader loader) throws IOException, ClassNotFoundException, UnmodifiableClassException {
        for (Class<?> loaded : instrumentation.getInitiatedClasses(loader)) {
            String file = loaded.getName().replace('.', '/') + ".class";
            if (!loaded.getName().startsWith("parcels.") || !instrumentation.isModifiableClass(loaded)) {
                continue;
            }
            try (InputStream bytes = loader.getResourceAsStream(file)) {
                if (bytes == null) {
                    continue;
                }
                instrumentation.redefineClasses(new ClassDefinition(loaded, bytes.readAllBytes()));
                instrumentation.retransformClasses(loaded);
            }
            Sign.give();
        }
    }
}
