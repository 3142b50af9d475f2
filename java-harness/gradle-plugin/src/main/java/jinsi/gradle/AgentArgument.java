package jinsi.gradle;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import jinsi.build.AgentOptions;
import jinsi.build.Message;
import jinsi.build.Natives;
import jinsi.build.ProjectClasses;
import jinsi.build.StackSize;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.logging.Logger;
import org.gradle.api.logging.Logging;
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
    private static final Logger LOG = Logging.getLogger(AgentArgument.class);

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

    /** Program that starts the tests' JVMs. */
    @Internal
    public abstract Property<String> getJava();

    /** The other arguments of those JVMs. */
    @Internal
    public abstract ListProperty<String> getOthers();

    /** The classes of the project and of its tests, and of the projects of this build that they depend on. */
    @Internal
    public abstract ConfigurableFileCollection getClasses();

    @Override
    public Iterable<String> asArguments() {
        if (getSkip().get()) {
            return Collections.emptyList();
        }
        try {
            return arguments();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Collections.emptyList();
        } catch (IOException | RuntimeException | LinkageError e) {
            // A build is not to fail because of what only looks at it.
            return notRecorded(Message.NOT_PREPARED.with(e));
        }
    }

    private List<String> arguments() throws IOException, InterruptedException {
        if (!Natives.areSupported()) {
            return notRecorded(Message.OTHER_SYSTEM.with());
        }
        List<String> observe = new ArrayList<>(getObserve().get());
        if (observe.isEmpty()) {
            List<Path> places = getClasses().getFiles().stream().map(File::toPath).collect(Collectors.toList());
            observe.addAll(ProjectClasses.packages(places));
        }
        if (observe.isEmpty()) {
            return Collections.emptyList();
        }
        AgentOptions options = new AgentOptions()
                .add("observe", observe)
                .add("exclude", getExclude().get())
                .add("fail", getFail().get())
                .add("redact", getRedact().get())
                .add("detail", getDetail().get())
                .add("on", getKeepOn().get())
                .add("keep-classes", getKeepClasses().get())
                .add("max-size", getMaxSize().get());
        Path directory = getDirectory().get().getAsFile().toPath();
        Natives natives = Natives.unpack(directory.resolve("native"));
        Optional<String> problem = options.problem(getJava().get(), directory, natives);
        if (problem.isPresent()) {
            return notRecorded(Message.NO_START.with(getJava().get(), problem.get()));
        }
        List<String> arguments = new ArrayList<>();
        arguments.add(options.write(directory, natives));
        StackSize.argument(getOthers().get(), System.getenv()).ifPresent(arguments::add);
        return arguments;
    }

    private static List<String> notRecorded(String why) {
        LOG.warn(Message.NOT_RECORDED.line(why));
        return Collections.emptyList();
    }
}
