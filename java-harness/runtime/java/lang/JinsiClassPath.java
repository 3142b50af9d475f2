package java.lang;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** Finds out what the manifest of a jar puts on the class path. Called once, by the agent, when the JVM has been initialized. */
final class JinsiClassPath {
    private JinsiClassPath() {}

    /**
     * The entries that the {@code Class-Path} of a jar's manifest names, as absolute paths, one a line; what is no file is left out.
     *
     * @param path the jar, absolute
     * @return {@code null} if there is none
     */
    static String further(String path) {
        try (JarFile jar = new JarFile(path, false)) {
            Manifest manifest = jar.getManifest();
            String entries = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (entries == null) {
                return null;
            }
            URI base = new File(path).toURI();
            StringBuilder all = new StringBuilder();
            for (String entry : entries.trim().split(" +")) {
                try {
                    URI uri = base.resolve(entry);
                    if ("file".equals(uri.getScheme())) {
                        all.append(new File(uri.getPath()).getPath()).append('\n');
                    }
                } catch (IllegalArgumentException e) {
                    // As the JVM does: an entry that is no URL is left out.
                }
            }
            return all.toString();
        } catch (IOException | SecurityException e) {
            return null;
        }
    }
}
