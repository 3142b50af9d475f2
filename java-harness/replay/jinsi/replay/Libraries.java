package jinsi.replay;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The class path of a program that is run for real: jars and directories that its classes and resources come from. Each test defines the
 * classes anew; their bytes are read once.
 */
final class Libraries {
    private static final byte[] NONE = new byte[0];

    private final URLClassLoader finder;
    private final Map<String, byte[]> bytes = new ConcurrentHashMap<>();
    /** Where classes are, by their binary names. */
    private final Map<String, Optional<URL>> places = new ConcurrentHashMap<>();
    /** Binary names of classes that the JDK does not have. */
    private final Set<String> foreign = ConcurrentHashMap.newKeySet();

    /** @param paths jars and directories; one that is not there has no classes */
    Libraries(List<String> paths) {
        List<URL> urls = new ArrayList<>();
        for (String path : paths) {
            try {
                urls.add(new File(path).toURI().toURL());
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(path, e);
            }
        }
        // Only looked into, never asked for a class: so it has no parent.
        finder = new URLClassLoader(urls.toArray(new URL[0]), null);
    }

    /** The class of the JDK with this binary name; {@code null} if it has none. */
    Class<?> ofJdk(String name, ClassLoader jdk) {
        if (foreign.contains(name)) {
            return null;
        }
        try {
            return jdk.loadClass(name);
        } catch (ClassNotFoundException e) {
            foreign.add(name);
            return null;
        }
    }

    /** The class file with this binary name; {@code null} if there is none. */
    byte[] classFile(String name) {
        byte[] found = bytes.computeIfAbsent(name, this::read);
        return found == NONE ? null : found;
    }

    private byte[] read(String name) {
        URL url = resource(name.replace('.', '/') + ".class");
        if (url == null) {
            return NONE;
        }
        try {
            URLConnection connection = url.openConnection();
            try (InputStream in = connection.getInputStream()) {
                return in.readAllBytes();
            }
        } catch (IOException e) {
            return NONE;
        }
    }

    /** The jar or directory that has the class with this binary name; {@code null} if none has. Each test asks, so it is looked for once. */
    URL place(String name) {
        return places.computeIfAbsent(name, n -> Optional.ofNullable(placeOf(n))).orElse(null);
    }

    private URL placeOf(String name) {
        String file = name.replace('.', '/') + ".class";
        URL url = resource(file);
        if (url == null) {
            return null;
        }
        String text = url.toString();
        String whole = text.substring(0, text.length() - file.length());
        boolean jar = whole.startsWith("jar:") && whole.endsWith("!/");
        try {
            return new URL(jar ? whole.substring("jar:".length(), whole.length() - "!/".length()) : whole);
        } catch (MalformedURLException e) {
            return null;
        }
    }

    /** Where the resource with this name is first; {@code null} if it is nowhere. */
    URL resource(String name) {
        return finder.findResource(name);
    }

    /** All places where the resource with this name is. */
    Enumeration<URL> resources(String name) throws IOException {
        return finder.findResources(name);
    }
}
