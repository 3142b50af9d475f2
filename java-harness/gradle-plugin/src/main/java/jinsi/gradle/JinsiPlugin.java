package jinsi.gradle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import jinsi.build.Message;
import jinsi.build.Minimizer;
import org.gradle.api.Action;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.artifacts.Configuration;
import org.gradle.api.artifacts.component.ProjectComponentIdentifier;
import org.gradle.api.attributes.LibraryElements;
import org.gradle.api.file.Directory;
import org.gradle.api.file.FileCollection;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceSetContainer;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.testing.Test;

/** Has the tests of a project recorded, each JVM into a trace of its own, and the failed ones minimized behind them. */
public final class JinsiPlugin implements Plugin<Project> {
    private static final String NAME = "jinsi";

    @Override
    public void apply(Project project) {
        JinsiExtension extension = project.getExtensions().create(NAME, JinsiExtension.class);
        extension.getSkip().convention(
                project.getProviders().gradleProperty("jinsi.skip").map(value -> !value.equals("false")).orElse(false));
        extension.getDetail().convention("boundary");
        extension.getSecondTry().convention(true);
        extension.getKeepOn().convention("failure");
        extension.getKeepClasses().convention("64M");
        extension.getMaxSize().convention("4G");
        extension.getDirectory().convention(project.getLayout().getBuildDirectory().dir(NAME));
        project.getPlugins().withId("java", java -> {
            // Registered here: a task being configured may register no other one.
            TaskProvider<JinsiReport> report = project.getTasks().register(NAME + "Report", JinsiReport.class, task -> {
                task.setDescription("Writes a minimal test of each failed test.");
                task.setGroup("verification");
                task.getSkip().set(extension.getSkip());
                task.getSecondTry().set(extension.getSecondTry());
                task.getDirectory().set(extension.getDirectory());
            });
            project.getTasks().withType(Test.class).configureEach(test -> record(project, extension, test, report));
        });
    }

    private static void record(Project project, JinsiExtension extension, Test test, TaskProvider<JinsiReport> report) {
        Provider<Directory> directory = extension.getDirectory().dir(test.getName());
        SourceSetContainer sources = project.getExtensions().getByType(SourceSetContainer.class);
        AgentArgument agent = project.getObjects().newInstance(AgentArgument.class);
        agent.getSkip().set(extension.getSkip());
        agent.getObserve().set(extension.getObserve());
        agent.getExclude().set(extension.getExclude());
        agent.getFail().set(extension.getFail());
        agent.getRedact().set(extension.getRedact());
        agent.getDetail().set(extension.getDetail());
        agent.getKeepOn().set(extension.getKeepOn());
        agent.getKeepClasses().set(extension.getKeepClasses());
        agent.getMaxSize().set(extension.getMaxSize());
        agent.getDirectory().set(directory);
        agent.getJava().set(test.getJavaLauncher().map(launcher -> launcher.getExecutablePath().getAsFile().getPath())
                .orElse(project.provider(test::getExecutable)));
        agent.getOthers().set(project.provider(test::getJvmArgs));
        SourceSet tests = sources.findByName(test.getName());
        agent.getClasses().from(sources.getByName("main").getOutput().getClassesDirs());
        agent.getClasses().from(project.provider(test::getTestClassesDirs));
        agent.getClasses().from(classesOfOtherProjects(project, tests == null ? sources.getByName("test") : tests));
        test.getJvmArgumentProviders().add(agent);
        test.doFirst(new RemoveEarlier(directory));
        test.finalizedBy(report);
    }

    /** The classes of the projects of this build that a test task's class path has. */
    private static FileCollection classesOfOtherProjects(Project project, SourceSet tests) {
        Configuration classPath = project.getConfigurations().getByName(tests.getRuntimeClasspathConfigurationName());
        LibraryElements classes = project.getObjects().named(LibraryElements.class, LibraryElements.CLASSES);
        return classPath.getIncoming().artifactView(view -> {
            view.componentFilter(component -> component instanceof ProjectComponentIdentifier);
            view.getAttributes().attribute(LibraryElements.LIBRARY_ELEMENTS_ATTRIBUTE, classes);
            view.lenient(true);
        }).getFiles();
    }

    /** Removes the traces and reports of earlier runs. No lambda, which Gradle could not tell from another one. */
    private static final class RemoveEarlier implements Action<Task> {
        private final Provider<Directory> directory;

        RemoveEarlier(Provider<Directory> directory) {
            this.directory = directory;
        }

        @Override
        public void execute(Task task) {
            Path traces = directory.get().getAsFile().toPath();
            try {
                if (Files.isDirectory(traces)) {
                    Minimizer.removeOlder(traces, System.currentTimeMillis());
                }
            } catch (IOException | RuntimeException e) {
                // The tests run all the same. What an earlier run left is reported once more.
                task.getLogger().warn(Message.NOT_REMOVED.line(e));
            }
        }
    }
}
