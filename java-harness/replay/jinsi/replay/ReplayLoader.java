package jinsi.replay;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads a session's classes. Each test has its own, so that it has fresh static fields. Other classes come from the JDK or are
 * jinsi's own; anything else does not exist here, but for the libraries of a program that is run for real.
 */
final class ReplayLoader extends ClassLoader {
    private static final List<String> OWN = List.of("jinsi.replay.", "jinsi.junit.");
    /** What a written test may use besides the session's classes. */
    private static final List<String> TEST_LIBRARIES = List.of("org.junit.", "org.opentest4j.", "org.apiguardian.");

    static {
        registerAsParallelCapable();
    }

    private final Session session;
    private final ClassLoader own = ReplayLoader.class.getClassLoader();
    /** Where a written test and its libraries come from; {@code null} in the worker. */
    private final ClassLoader testLoader;
    /** Binary name of the written test's outermost class, or {@code null}. */
    private final String testClass;
    /** Has classes in the place of the session's; {@code null} if those run. */
    private final Today today;
    private final ProtectionDomain domain;
    /** By the jar or directory that classes are from. */
    private final Map<String, ProtectionDomain> domains = new ConcurrentHashMap<>();
    /** The test that the classes of this loader belong to. */
    private volatile Engine engine;
    /** Of a program that is run for real, made when it is needed. */
    private volatile Class<?> insider;
    /** Whether the program has asked for a database. */
    private volatile boolean hasDrivers;

    /** A loader for the worker. */
    ReplayLoader(Session session) {
        this(session, null, null, true);
    }

    /**
     * A loader that also defines the test class {@code testClass}, with its nested classes, from {@code testLoader}.
     *
     * @param recorded whether the session's classes run, or those of today, which come from {@code testLoader}, too
     * @throws IllegalStateException if those of today cannot run on this machine
     */
    ReplayLoader(Session session, ClassLoader testLoader, String testClass, boolean recorded) {
        super(ClassLoader.getPlatformClassLoader());
        this.session = session;
        this.today = recorded ? null : new Today(session, testLoader, getParent());
        this.testLoader = testLoader;
        this.testClass = testClass;
        this.domain = domainAt(null);
    }

    /** Says which test the classes of this loader belong to. */
    void belongsTo(Engine test) {
        engine = test;
    }

    /** The test that the classes of this loader belong to. */
    Engine engine() {
        return engine;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            ClassEntry entry = session.classes.get(name);
            if (entry != null) {
                Class<?> ofJdk = entry.placeholder ? ofJdk(name) : null;
                return ofJdk != null ? ofJdk : define(name, today == null ? entry.bytes : ofToday(entry).bytes);
            }
            if (isTestClass(name)) {
                return define(name, testBytes(name));
            }
            if (startsWithAny(name, OWN)) {
                return own.loadClass(name);
            }
            if (session.isDirect()) {
                return ofProgram(name);
            }
            if (testLoader != null && startsWithAny(name, TEST_LIBRARIES)) {
                return testLoader.loadClass(name);
            }
            return today == null ? getParent().loadClass(name) : neverRecorded(name);
        }
    }

    /** What is run in the place of a class of the session. */
    private ClassEntry ofToday(ClassEntry entry) throws ClassNotFoundException {
        boolean isLibrary = startsWithAny(entry.name, TEST_LIBRARIES) || startsWithAny(entry.name, OWN);
        ClassEntry found = entry.placeholder && isLibrary ? null : rewritten(entry.name);
        if (found != null) {
            return found;
        }
        if (entry.placeholder || entry.environment) {
            return entry;
        }
        throw new ClassNotFoundException(entry.name + ", which was recorded, is not on the class path of the test");
    }

    /** A class that the recorded run did not load. */
    private Class<?> neverRecorded(String name) throws ClassNotFoundException {
        Class<?> ofJdk = ofJdk(name);
        if (ofJdk != null) {
            return ofJdk;
        }
        ClassEntry found = rewritten(name);
        if (found == null) {
            throw new ClassNotFoundException(name);
        }
        return define(name, found.bytes);
    }

    private ClassEntry rewritten(String name) {
        try {
            return today.entry(name);
        } catch (Stop e) {
            throw engine == null ? e : engine.progress().stop(e);
        }
    }

    /** A class of the JDK's or of the program's own libraries. */
    private Class<?> ofProgram(String name) throws ClassNotFoundException {
        Class<?> ofJdk = session.libraries.ofJdk(name, getParent());
        if (ofJdk != null) {
            if (name.equals("java.sql.DriverManager") && !hasDrivers) {
                hasDrivers = true;
                inside("registerDrivers");
            }
            return ofJdk;
        }
        byte[] bytes = session.libraries.classFile(name);
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return define(name, bytes);
    }

    /** Calls a method of the {@link Insider} of this loader. */
    private Object inside(String method) {
        try {
            if (insider == null) {
                insider = define(Insider.class.getName(), insiderBytes());
            }
            return insider.getMethod(method).invoke(null);
        } catch (ReflectiveOperationException | IOException e) {
            throw new IllegalStateException("cannot " + method, e);
        }
    }

    private static byte[] insiderBytes() throws IOException {
        try (InputStream in = ReplayLoader.class.getResourceAsStream("Insider.class")) {
            return in.readAllBytes();
        }
    }

    /** With this, methods of the JDK that look at who calls them see a class of this loader. */
    MethodHandles.Lookup lookup() {
        synchronized (this) {
            return (MethodHandles.Lookup) inside("lookup");
        }
    }

    /** Whether everything is at work, and nothing answered. */
    boolean isForReal() {
        return session.isDirect();
    }

    /** Gives back what the JDK holds of this loader's classes. */
    void leave() {
        if (hasDrivers) {
            inside("forgetDrivers");
        }
    }

    @Override
    protected URL findResource(String name) {
        return session.isDirect() ? session.libraries.resource(name) : null;
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        return session.isDirect() ? session.libraries.resources(name) : Collections.emptyEnumeration();
    }

    private Class<?> ofJdk(String name) {
        try {
            return getParent().loadClass(name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private Class<?> define(String name, byte[] bytes) {
        int dot = name.lastIndexOf('.');
        if (dot > 0 && getDefinedPackage(name.substring(0, dot)) == null) {
            definePackage(name.substring(0, dot), null, null, null, null, null, null, null);
        }
        return defineClass(name, bytes, 0, bytes.length, domainOf(name));
    }

    /** What a class says of where it is from: programs find their data so. */
    private ProtectionDomain domainOf(String name) {
        URL place = session.isDirect() ? session.libraries.place(name) : null;
        return place == null ? domain : domains.computeIfAbsent(place.toString(), at -> domainAt(place));
    }

    private ProtectionDomain domainAt(URL place) {
        return new ProtectionDomain(new CodeSource(place, (Certificate[]) null), null, this, null);
    }

    private boolean isTestClass(String name) {
        return testClass != null && (name.equals(testClass) || name.startsWith(testClass + "$"));
    }

    private byte[] testBytes(String name) throws ClassNotFoundException {
        try (InputStream in = testLoader.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static boolean startsWithAny(String name, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The class with an internal name, an array descriptor, or a primitive type's name or letter.
     *
     * @throws ClassNotFoundException if it does not exist here
     */
    Class<?> named(String internal) throws ClassNotFoundException {
        try {
            return Class.forName(internal.replace('/', '.'), false, this);
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            Class<?> primitive = primitive(internal);
            if (primitive != null) {
                return primitive;
            }
            throw e instanceof ClassNotFoundException ? (ClassNotFoundException) e
                    : new ClassNotFoundException(internal, e);
        }
    }

    /** The same; {@code null} if it does not exist here. */
    Class<?> namedOrNull(String name) {
        try {
            return named(name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /** The class that a descriptor (JVMS §4.3) stands for. */
    Class<?> described(String descriptor) throws ClassNotFoundException {
        switch (descriptor.charAt(0)) {
            case 'L':
                return named(descriptor.substring(1, descriptor.length() - 1));
            case '[':
                return named(descriptor);
            default:
                return primitive(descriptor);
        }
    }

    private static Class<?> primitive(String name) {
        switch (name) {
            case "Z":
            case "boolean":
                return boolean.class;
            case "B":
            case "byte":
                return byte.class;
            case "C":
            case "char":
                return char.class;
            case "S":
            case "short":
                return short.class;
            case "I":
            case "int":
                return int.class;
            case "J":
            case "long":
                return long.class;
            case "F":
            case "float":
                return float.class;
            case "D":
            case "double":
                return double.class;
            case "V":
            case "void":
                return void.class;
            default:
                return null;
        }
    }

    /** The class of the session with this binary name, if its code runs and has been loaded; else {@code null}. */
    Class<?> loadedCode(String name) {
        Class<?> type = findLoadedClass(name);
        return type != null && isCode(type) ? type : null;
    }

    /** Whether {@code type} is a class of the session, of either kind. */
    boolean isOfSession(Class<?> type) {
        return type.getClassLoader() == this && session.classes.containsKey(type.getName());
    }

    /** Whether {@code type} is a class of the session whose code runs. */
    boolean isCode(Class<?> type) {
        return isOfSession(type) && !isEnvironment(type);
    }

    /** Whether {@code type} is a class of the session whose methods only ask. */
    boolean isEnvironment(Class<?> type) {
        ClassEntry entry = type.getClassLoader() == this ? session.classes.get(type.getName()) : null;
        return entry != null && entry.environment;
    }
}
