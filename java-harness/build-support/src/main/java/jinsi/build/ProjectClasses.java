package jinsi.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Patterns for the agent that stand for the compiled classes of a project. */
public final class ProjectClasses {
    private static final String SUFFIX = ".class";

    private ProjectClasses() {}

    /** All classes of the packages below directories of class files; those without package by their names. */
    public static List<String> packages(List<Path> directories) throws IOException {
        SortedSet<String> patterns = new TreeSet<>();
        for (Path classes : directories) {
            for (String name : names(classes)) {
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

    /** Binary names, sorted. */
    private static List<String> names(Path classes) throws IOException {
        if (!Files.isDirectory(classes)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(file -> classes.relativize(file).toString())
                    .filter(name -> name.endsWith(SUFFIX) && !name.endsWith("module-info.class"))
                    .filter(name -> !name.startsWith("META-INF"))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()).replace('/', '.'))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }
}
