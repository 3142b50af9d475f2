package gradle;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Lays Gradle out as its distribution has it, from the jar in which its whole runtime is published for authors of plugins. The distribution
 * has a jar for each module; here each of these is empty, but for the list of modules it needs, and refers to the one with all classes.
 *
 * <p>That jar has the test frameworks under names of its own. What runs tests has to meet those of the project, and gets their names back.
 */
public final class GradleInstallation {
    /** Ends the name of an entry that says which modules one needs. */
    private static final String NEEDS = "-classpath.properties";
    /** Packages of test frameworks as the jar with the whole runtime names them, in internal or dotted form. */
    private static final String MOVED =
            "org[./]gradle[./]internal[./]impldep[./](?=(org[./])?(junit|testng|opentest4j|hamcrest)\\b)";
    /** Modules that the list in the jar leaves out, and libraries that are in it though Gradle looks for jars of their names. */
    private static final List<String> FURTHER = List.of("gradle-gradle-cli", "gradle-java-compiler-plugin",
            "gradle-installation-beacon", "ant", "ant-launcher", "asm", "commons-lang", "guava", "javax.inject",
            "jul-to-slf4j", "kryo", "native-platform", "slf4j-api");

    private final Path lib;
    private final String version;
    private final List<Path> runtime = new ArrayList<>();

    private GradleInstallation(Path lib, String version) {
        this.lib = lib;
        this.version = version;
    }

    /** Takes the directory, Gradle's version, the directory of the beacon's class, and the jars: first the one with the whole runtime. */
    public static void main(String[] args) throws IOException {
        Path lib = Files.createDirectories(Paths.get(args[0], "lib"));
        Files.createDirectories(lib.resolve("plugins"));
        GradleInstallation installation = new GradleInstallation(lib, args[1]);
        for (String jar : Arrays.asList(args).subList(3, args.length)) {
            Path from = Paths.get(jar);
            Path to = lib.resolve(from.getFileName());
            Files.copy(from, to);
            installation.runtime.add(to);
        }
        installation.lay(Paths.get(args[2]));
    }

    private void lay(Path beacon) throws IOException {
        try (FileSystem all = FileSystems.newFileSystem(runtime.get(0), (ClassLoader) null)) {
            for (Path file : files(all.getPath("/"), 1)) {
                String name = file.getFileName().toString();
                if (name.endsWith(NEEDS)) {
                    Properties needs = new Properties();
                    try (InputStream in = Files.newInputStream(file)) {
                        needs.load(in);
                    }
                    module(name.substring(0, name.length() - NEEDS.length()), needs.getProperty("projects", ""), null);
                }
            }
            for (Path file : files(all.getPath("/org/gradle/api/internal/tasks/testing"), Integer.MAX_VALUE)) {
                if (file.toString().endsWith(".class")) {
                    Files.write(file, renamed(Files.readAllBytes(file)));
                }
            }
        }
        for (String name : FURTHER) {
            module(name, "", name.endsWith("beacon") ? beacon : null);
        }
    }

    private static List<Path> files(Path directory, int depth) throws IOException {
        try (Stream<Path> files = Files.walk(directory, depth)) {
            return files.filter(Files::isRegularFile).collect(Collectors.toList());
        }
    }

    /** Writes the jar of a module, with the class {@code only} if there is one, else with a reference to the runtime. */
    private void module(String name, String needs, Path only) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        List<String> jars = runtime.stream().map(jar -> jar.getFileName().toString()).collect(Collectors.toList());
        if (only == null) {
            manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, String.join(" ", jars));
        }
        try (OutputStream file = Files.newOutputStream(lib.resolve(name + "-" + version + ".jar"));
                JarOutputStream jar = new JarOutputStream(file, manifest)) {
            jar.putNextEntry(new ZipEntry(name + NEEDS));
            Properties properties = new Properties();
            properties.setProperty("projects", needs);
            properties.setProperty("runtime", only == null ? String.join(",", jars) : "");
            properties.store(jar, null);
            if (only != null) {
                for (Path found : files(only, Integer.MAX_VALUE)) {
                    jar.putNextEntry(new ZipEntry(only.relativize(found).toString()));
                    Files.copy(found, jar);
                }
            }
        }
    }

    /** The class with the frameworks' own names in its constants (JVMS §4.4). */
    private static byte[] renamed(byte[] original) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(original));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(in.readLong());
        int count = in.readUnsignedShort();
        out.writeShort(count);
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            switch (tag) {
                case 1:
                    out.writeUTF(in.readUTF().replaceAll(MOVED, ""));
                    break;
                case 5:
                case 6:
                    out.writeLong(in.readLong());
                    i++;
                    break;
                case 7:
                case 8:
                case 16:
                case 19:
                case 20:
                    out.writeShort(in.readShort());
                    break;
                case 15:
                    out.writeByte(in.readByte());
                    out.writeShort(in.readShort());
                    break;
                default:
                    out.writeInt(in.readInt());
            }
        }
        in.transferTo(out);
        return bytes.toByteArray();
    }
}
