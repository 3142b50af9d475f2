package jinsi.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Patterns for the agent that stand for the compiled classes of a project. */
public final class ProjectClasses {
    private static final String SUFFIX = ".class";

    private ProjectClasses() {}

    /** All classes of the packages in directories of class files, and in jars; those without package by their names. */
    public static List<String> packages(Collection<Path> places) throws IOException {
        SortedSet<String> patterns = new TreeSet<>();
        for (Path place : places) {
            for (String name : names(place)) {
                int dot = name.lastIndexOf('.');
                patterns.add(dot < 0 ? name : name.substring(0, dot) + ".*");
            }
        }
        // A package's pattern stands for those below it, too, and comes before them.
        List<String> needed = new ArrayList<>();
        for (String pattern : patterns) {
            boolean covered = needed.stream()
                    .anyMatch(n -> n.endsWith(".*") && pattern.startsWith(n.substring(0, n.length() - 1)));
            if (!covered) {
                needed.add(pattern);
            }
        }
        return needed;
    }

    /** Binary names. What is not there has none. */
    private static List<String> names(Path place) throws IOException {
        if (Files.isDirectory(place)) {
            try (Stream<Path> files = Files.walk(place)) {
                return classes(files.map(file -> place.relativize(file).toString()));
            }
        }
        if (Files.isRegularFile(place) && place.toString().endsWith(".jar")) {
            try (ZipFile jar = new ZipFile(place.toFile())) {
                return classes(jar.stream().map(ZipEntry::getName));
            }
        }
        return Collections.emptyList();
    }

    private static List<String> classes(Stream<String> files) {
        return files.filter(name -> name.endsWith(SUFFIX) && !name.endsWith("module-info.class"))
                .filter(name -> !name.startsWith("META-INF"))
                .map(name -> name.substring(0, name.length() - SUFFIX.length()).replace('/', '.'))
                .collect(Collectors.toList());
    }
}
