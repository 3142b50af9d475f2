package jinsi.gradle;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jinsi.build.AgentOptions;
import jinsi.build.Natives;
import jinsi.build.ProjectClasses;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Internal;
import org.gradle.process.CommandLineArgumentProvider;

/**
 * The agent, as an argument of a test task's JVMs. What changes the recording is an input of the task; where the files lie is not, so that
 * the task is up to date, and found in the build cache, wherever the project is. The classes are inputs of the task already.
 */
public abstract class AgentArgument implements CommandLineArgumentProvider {
    @Input
    public abstract Property<Boolean> getSkip();

    @Input
    public abstract ListProperty<String> getObserve();

    @Input
    public abstract ListProperty<String> getExclude();

    @Input
    public abstract ListProperty<String> getFail();

    @Input
    public abstract ListProperty<String> getRedact();

    @Input
    public abstract Property<String> getDetail();

    @Input
    public abstract Property<String> getKeepOn();

    @Input
    public abstract Property<String> getKeepClasses();

    @Input
    public abstract Property<String> getMaxSize();

    @Internal
    public abstract DirectoryProperty getDirectory();

    /** The project's own classes. */
    @Internal
    public abstract ConfigurableFileCollection getClasses();

    /** Its tests. */
    @Internal
    public abstract ConfigurableFileCollection getTestClasses();

    @Override
    public Iterable<String> asArguments() {
        if (getSkip().get() || !Natives.areSupported()) {
            return List.of();
        }
        try {
            return arguments();
        } catch (IOException e) {
            throw new UncheckedIOException("jinsi cannot prepare the recording", e);
        }
    }

    /** The project's own packages, those of its tests too: their assertions say what should have been. None if it has but tests. */
    private List<String> projectClasses() throws IOException {
        List<Path> directories = new ArrayList<>();
        getClasses().forEach(directory -> directories.add(directory.toPath()));
        if (ProjectClasses.packages(directories).isEmpty()) {
            return List.of();
        }
        getTestClasses().forEach(directory -> directories.add(directory.toPath()));
        return ProjectClasses.packages(directories);
    }

    private List<String> arguments() throws IOException {
        AgentOptions options = new AgentOptions();
        List<String> observe = new ArrayList<>(getObserve().get());
        if (observe.isEmpty()) {
            observe.addAll(projectClasses());
        }
        if (observe.isEmpty()) {
            return List.of();
        }
        options.add("observe", observe)
                .add("exclude", getExclude().get())
                .add("fail", getFail().get())
                .add("redact", getRedact().get())
                .add("detail", getDetail().get())
                .add("on", getKeepOn().get())
                .add("keep-classes", getKeepClasses().get())
                .add("max-size", getMaxSize().get());
        Path directory = getDirectory().get().getAsFile().toPath();
        return List.of(options.write(directory, Natives.unpack(directory.resolve("native"))));
    }
}
