package jinsi.replay;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.SocketException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.Map;

/**
 * Asks another version of the recorded classes what a recorded call should have given: builds what the call was given, without running
 * constructors but those of the JDK, calls the method, and tells what came of it. Each call has classes of its own, so fresh static fields.
 */
public final class Counterpart {
    static final int CANNOT = 0;
    static final int DONE = 1;
    /** The call did not end; this JVM is of no more use. */
    static final int ENDLESS = 2;
    /** Repeated calls did not make what the call is given. */
    static final int BROKEN = 3;
    /** What is asked, if it is not a call: what objects hold. */
    private static final int CONTENTS = 1;
    private static final long STACK = 64L << 20;
    /** Causes of causes that are looked at. */
    private static final int CAUSES = 16;

    private final URL[] classPath;
    private final DataInputStream in;
    private final DataOutputStream out;

    private Counterpart(URL[] classPath, InputStream in, OutputStream out) {
        this.classPath = classPath;
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.out = new DataOutputStream(new BufferedOutputStream(out));
    }

    /**
     * Serves until standard input ends.
     *
     * @param args where the classes are
     * @throws IOException if standard output is gone
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        URL[] urls = new URL[args.length];
        for (int i = 0; i < args.length; i++) {
            urls[i] = url(args[i]);
        }
        Counterpart counterpart = new Counterpart(urls, System.in, System.out);
        System.setIn(InputStream.nullInputStream());
        counterpart.serve();
        Runtime.getRuntime().halt(0);
    }

    private static URL url(String entry) throws MalformedURLException {
        return new File(entry).toURI().toURL();
    }

    private void serve() throws IOException, InterruptedException {
        while (true) {
            int length;
            try {
                length = in.readInt();
            } catch (java.io.EOFException e) {
                return;
            }
            byte[] request = in.readNBytes(length);
            byte[] reply = ask(request);
            out.writeInt(reply.length);
            out.write(reply);
            out.flush();
            if (reply[0] == ENDLESS) {
                return;
            }
        }
    }

    private byte[] ask(byte[] request) throws InterruptedException, IOException {
        Call[] call = new Call[1];
        byte[][] reply = new byte[1][];
        int limit = new DataInputStream(new java.io.ByteArrayInputStream(request)).readInt();
        Thread thread = new Thread(null, () -> {
            try (URLClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
                call[0] = new Call(loader, request);
                reply[0] = call[0].run();
            } catch (Throwable e) {
                reply[0] = cannot(e);
            }
        }, "call", STACK);
        thread.setDaemon(true);
        thread.start();
        thread.join(limit);
        return thread.isAlive() ? new byte[] {ENDLESS} : reply[0];
    }

    private static byte[] cannot(Throwable why) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(CANNOT);
            Throwable cause = why instanceof ExceptionInInitializerError && why.getCause() != null ? why.getCause() : why;
            boolean isOurs = cause instanceof IllegalStateException && cause.getMessage() != null;
            ObjectGraph.writeText(out, isOurs ? cause.getMessage() : cause.toString());
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One call. */
    private static final class Call {
        private final ClassLoader loader;
        private final DataInputStream in;
        private final ObjectGraph graph;

        Call(ClassLoader loader, byte[] request) throws IOException {
            this.loader = loader;
            this.in = new DataInputStream(new java.io.ByteArrayInputStream(request));
            in.readInt();
            this.graph = new ObjectGraph(loader);
        }

        byte[] run() throws Throwable {
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            PrintStream print = new PrintStream(printed, true, StandardCharsets.UTF_8);
            System.setOut(print);
            System.setErr(print);
            if (in.readInt() == CONTENTS) {
                return contents();
            }
            Class<?> type = graph.type(ObjectGraph.readText(in));
            String name = ObjectGraph.readText(in);
            MethodType desc = MethodType.fromMethodDescriptorString(ObjectGraph.readText(in), loader);
            MethodHandle target = target(type, name, desc);
            boolean drawn = build();
            String grown = graph.grown();
            Object[] given = new Object[in.readInt()];
            int self = in.readInt();
            String constructed = ObjectGraph.readText(in);
            for (int i = 0; i < given.length; i++) {
                given[i] = graph.readValue(in);
            }
            int count = in.readInt();
            Class<?>[] watched = new Class<?>[count];
            for (int i = 0; i < count; i++) {
                String watchedName = ObjectGraph.readText(in);
                try {
                    watched[i] = Class.forName(watchedName, false, loader);
                } catch (ClassNotFoundException e) {
                    // It has no static fields here, then.
                    watched[i] = Object.class;
                }
            }
            if (!graph.broken().isEmpty()) {
                return broken();
            }
            print.flush();
            printed.reset();
            Object result = null;
            Throwable threw = null;
            try {
                result = constructed.isEmpty()
                        ? target.invokeWithArguments(Arrays.asList(given))
                        : construct(graph.type(constructed), type, desc, given);
            } catch (Throwable e) {
                threw = e;
            }
            print.flush();
            if (threw instanceof LinkageError || threw instanceof OutOfMemoryError) {
                throw threw;
            }
            if (name.equals("<init>") && threw == null) {
                graph.put(self, result);
                result = null;
            }
            boolean isPrimitive = target.type().returnType().isPrimitive();
            return reported(threw, result, isPrimitive, printed.toString(StandardCharsets.UTF_8), watched, drawn, grown);
        }

        /** Runs the constructor of a superclass, and no other. */
        private static Object construct(Class<?> made, Class<?> type, MethodType desc, Object[] given)
                throws Throwable {
            try {
                return RawAccess.restore(made, type.getDeclaredConstructor(desc.parameterArray()), given);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        /** Makes what the call is given. Does its order depend on hash codes that the JVM draws? */
        private boolean build() throws IOException, ReflectiveOperationException {
            graph.read(in);
            new Repeats(graph, loader).run(in);
            graph.settle();
            return graph.isDrawn();
        }

        /** The class of the exception by which the machine refused something, if that is what it came of: a file that is not there. */
        private static String machines(Throwable threw) {
            Throwable cause = threw;
            for (int depth = 0; cause != null && depth < CAUSES; depth++) {
                if (cause instanceof FileNotFoundException || cause instanceof FileSystemException
                        || cause instanceof SocketException || cause instanceof UnknownHostException) {
                    return cause.getClass().getName();
                }
                cause = cause.getCause();
            }
            return null;
        }

        private byte[] reported(Throwable threw, Object result, boolean isPrimitive, String printed, Class<?>[] watched,
                boolean drawn, String grown) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(DONE);
            out.writeBoolean(threw != null);
            if (threw == null) {
                graph.writeValue(out, result, isPrimitive);
            } else {
                ObjectGraph.writeText(out, threw.getClass().getName());
                ObjectGraph.writeText(out, Throwables.storedMessage(threw));
                ObjectGraph.writeText(out, machines(threw));
            }
            ObjectGraph.writeText(out, printed);
            int given = graph.reported();
            graph.writeStatics(out, watched);
            boolean drawnLater = graph.write(out, given);
            out.writeBoolean(drawn || drawnLater);
            ObjectGraph.writeText(out, grown);
            ObjectGraph.writeText(out, graph.apart());
            return bytes.toByteArray();
        }

        private byte[] broken() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(BROKEN);
            writeBroken(out);
            return bytes.toByteArray();
        }

        private void writeBroken(DataOutputStream out) throws IOException {
            Map<Integer, String> broken = graph.broken();
            out.writeInt(broken.size());
            for (Map.Entry<Integer, String> entry : broken.entrySet()) {
                out.writeInt(entry.getKey());
                ObjectGraph.writeText(out, entry.getValue());
            }
        }

        /** What objects hold. */
        private byte[] contents() throws IOException, ReflectiveOperationException {
            build();
            int given = in.readInt();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(DONE);
            writeBroken(out);
            graph.write(out, given);
            return bytes.toByteArray();
        }

        /** What runs the method of this very class, not one that overrides it. */
        private MethodHandle target(Class<?> type, String name, MethodType desc) throws Throwable {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            if (name.equals("<init>")) {
                for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                    if (Arrays.equals(constructor.getParameterTypes(), desc.parameterArray())) {
                        return lookup.unreflectConstructor(constructor);
                    }
                }
                throw new IllegalStateException("the other version has no such constructor");
            }
            for (Method method : type.getDeclaredMethods()) {
                boolean same = method.getName().equals(name) && method.getReturnType() == desc.returnType()
                        && Arrays.equals(method.getParameterTypes(), desc.parameterArray());
                if (same && !Modifier.isAbstract(method.getModifiers())) {
                    return Modifier.isStatic(method.getModifiers())
                            ? lookup.unreflect(method) : lookup.unreflectSpecial(method, type);
                }
            }
            throw new IllegalStateException("the other version has no such method: " + name);
        }
    }
}
