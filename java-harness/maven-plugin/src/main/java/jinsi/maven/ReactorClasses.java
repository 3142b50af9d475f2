package jinsi.maven;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.maven.model.Dependency;
import org.apache.maven.project.MavenProject;

/** Where the classes are that a module is made of: its own, and those of the modules of the same build that it depends on. */
final class ReactorClasses {
    private ReactorClasses() {}

    /** Directories of classes and of test classes, which may be missing. */
    static List<Path> directories(MavenProject project, Collection<MavenProject> reactor) {
        List<Path> directories = new ArrayList<>();
        for (MavenProject module : modules(project, reactor)) {
            directories.add(Paths.get(module.getBuild().getOutputDirectory()));
            directories.add(Paths.get(module.getBuild().getTestOutputDirectory()));
        }
        return directories;
    }

    /** The module, and those that it depends on, directly or by others. */
    static Set<MavenProject> modules(MavenProject project, Collection<MavenProject> reactor) {
        Map<String, MavenProject> known = new HashMap<>();
        reactor.forEach(module -> known.put(module.getGroupId() + ":" + module.getArtifactId(), module));
        Set<MavenProject> modules = new LinkedHashSet<>();
        Deque<MavenProject> open = new ArrayDeque<>();
        open.add(project);
        while (!open.isEmpty()) {
            MavenProject module = open.remove();
            if (modules.add(module)) {
                for (Dependency dependency : module.getDependencies()) {
                    MavenProject other = known.get(dependency.getGroupId() + ":" + dependency.getArtifactId());
                    if (other != null) {
                        open.add(other);
                    }
                }
            }
        }
        return modules;
    }
}
