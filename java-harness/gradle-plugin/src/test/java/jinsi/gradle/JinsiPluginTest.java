package jinsi.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.tasks.testing.Test;
import org.gradle.process.CommandLineArgumentProvider;
import org.gradle.testfixtures.ProjectBuilder;
import org.junit.jupiter.api.io.TempDir;

/** What the plugin makes of a project, by Gradle's own API; no build is run. */
class JinsiPluginTest {
    @TempDir
    Path directory;

    private Project project() {
        Project project = ProjectBuilder.builder().withProjectDir(directory.toFile()).build();
        project.getPluginManager().apply("java");
        project.getPluginManager().apply("io.github.jinsi");
        return project;
    }

    private static List<String> arguments(Project project) {
        List<String> all = new ArrayList<>();
        for (CommandLineArgumentProvider provider : ((Test) project.getTasks().getByName("test")).getJvmArgumentProviders()) {
            provider.asArguments().forEach(all::add);
        }
        return all;
    }

    private List<String> options() throws IOException {
        return Files.readAllLines(directory.resolve("build/jinsi/test/agent.options"));
    }

    private void compiled(String file) throws IOException {
        Path path = directory.resolve("build/classes/java").resolve(file);
        Files.createDirectories(path.getParent());
        Files.write(path, new byte[0]);
    }

    @org.junit.jupiter.api.Test
    void testsGetTheAgentWithTheClassesOfTheProject() throws IOException {
        compiled("main/com/foo/Bar.class");
        compiled("main/com/foo/in/Bar.class");
        compiled("test/com/foo/BarTest.class");
        List<String> arguments = arguments(project());
        assertEquals(2, arguments.size());
        assertTrue(arguments.get(0).matches("-agentpath:.*/libjinsi\\.so=config=.*/build/jinsi/test/agent\\.options"));
        assertEquals("-Xss1536k", arguments.get(1));
        assertEquals(
                List.of("observe=com.foo.*", "detail=boundary", "on=failure", "keep-classes=64M", "max-size=4G", "out=" + directory.toRealPath() + "/build/jinsi/test/test-%p.jinsi"),
                options());
    }

    @org.junit.jupiter.api.Test
    void aChosenStackSizeStays() throws IOException {
        compiled("main/com/foo/Bar.class");
        Project project = project();
        ((Test) project.getTasks().getByName("test")).jvmArgs("-Xss4m");
        assertEquals(1, arguments(project).size());
    }

    @org.junit.jupiter.api.Test
    void theBuildScriptHasItsSay() throws IOException {
        Project project = project();
        JinsiExtension extension = project.getExtensions().getByType(JinsiExtension.class);
        extension.getObserve().add("org.lib.*");
        extension.getRedact().add("*.password");
        arguments(project);
        assertTrue(options().containsAll(List.of("observe=org.lib.*", "redact=*.password")));
        extension.getSkip().set(true);
        assertEquals(List.of(), arguments(project));
    }

    @org.junit.jupiter.api.Test
    void theReportComesBehindTheTests() {
        Project project = project();
        Task test = project.getTasks().getByName("test");
        Set<String> behind = test.getFinalizedBy().getDependencies(test).stream().map(Task::getName).collect(Collectors.toSet());
        assertEquals(Set.of("jinsiReport"), behind);
    }

    @org.junit.jupiter.api.Test
    void aProjectWithOnlyTestsIsRecordedToo() throws IOException {
        compiled("test/com/foo/BarTest.class");
        assertEquals(1, arguments(project()).size());
        assertTrue(options().contains("observe=com.foo.*"), options().toString());
    }

    @org.junit.jupiter.api.Test
    void theTestsRunWithoutTheAgentIfTheirJvmDoesNotTakeIt() throws IOException {
        compiled("main/com/foo/Bar.class");
        Project project = project();
        project.getExtensions().getByType(JinsiExtension.class).getMaxSize().set("much");
        assertEquals(List.of(), arguments(project));
    }

    @org.junit.jupiter.api.Test
    void theClassPathOfTheTestsStaysAsItIs() {
        assertEquals(Set.of(), project().getConfigurations().getByName("testRuntimeClasspath").getFiles());
        Project plain = ProjectBuilder.builder().build();
        plain.getPluginManager().apply("io.github.jinsi");
        assertFalse(plain.getPluginManager().hasPlugin("java"));
    }
}
