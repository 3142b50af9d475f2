package classes;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Links class files that come from standard input: a name, the class file, then a number of rewritten forms of it, each with its length
 * before it, in four bytes. Answers a byte: 0 if the JVM refuses the first, else 1 plus the number of forms it refuses, each of them
 * followed by its number and the reason. Every class file gets a loader of its own.
 */
final class Mutants {
    private Mutants() {}

    public static void main(String[] args) throws IOException {
        ClassLoader jars = new URLClassLoader(urls(args[0]), ClassLoader.getPlatformClassLoader());
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        System.setOut(System.err);
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        while (true) {
            String name;
            try {
                name = new String(item(in), StandardCharsets.UTF_8).replace('/', '.');
            } catch (EOFException end) {
                return;
            }
            byte[] original = item(in);
            byte[][] rewritten = new byte[in.readInt()][];
            for (int i = 0; i < rewritten.length; i++) {
                rewritten[i] = item(in);
            }
            answer(jars, name, original, rewritten, out);
            out.flush();
        }
    }

    private static void answer(ClassLoader jars, String name, byte[] original, byte[][] rewritten, DataOutputStream out)
            throws IOException {
        if (refusal(jars, name, original) != null) {
            out.writeByte(0);
            return;
        }
        String[] refusals = new String[rewritten.length];
        int count = 0;
        for (int i = 0; i < rewritten.length; i++) {
            refusals[i] = refusal(jars, name, rewritten[i]);
            count += refusals[i] == null ? 0 : 1;
        }
        out.writeByte(1 + count);
        for (int i = 0; i < rewritten.length; i++) {
            if (refusals[i] != null) {
                byte[] text = refusals[i].getBytes(StandardCharsets.UTF_8);
                out.writeByte(i);
                out.writeInt(text.length);
                out.write(text);
            }
        }
    }

    /** Why a class does not link; null if it does. */
    private static String refusal(ClassLoader jars, String name, byte[] bytes) {
        try {
            Worker.link(new One(jars, name, bytes).loadClass(name));
            return null;
        } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
            return e.toString();
        }
    }

    private static byte[] item(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    private static URL[] urls(String jars) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String jar : jars.split(java.io.File.pathSeparator)) {
            if (!jar.isEmpty()) {
                urls.add(Path.of(jar).toUri().toURL());
            }
        }
        return urls.toArray(new URL[0]);
    }

    /** Has one class of its own. */
    private static final class One extends ClassLoader {
        private final String name;
        private final byte[] bytes;

        One(ClassLoader jars, String name, byte[] bytes) {
            super(jars);
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(wanted)) {
                Class<?> known = findLoadedClass(wanted);
                if (known != null || !wanted.equals(name)) {
                    return known != null ? known : super.loadClass(wanted, resolve);
                }
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }
}
