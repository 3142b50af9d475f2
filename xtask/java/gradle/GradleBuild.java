package gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gradle.api.internal.StartParameterInternal;
import org.gradle.api.logging.LogLevel;
import org.gradle.api.logging.configuration.ConsoleOutput;
import org.gradle.initialization.BuildRequestContext;
import org.gradle.initialization.DefaultBuildCancellationToken;
import org.gradle.initialization.DefaultBuildRequestContext;
import org.gradle.initialization.DefaultBuildRequestMetaData;
import org.gradle.initialization.NoOpBuildEventConsumer;
import org.gradle.internal.buildoption.Option;
import org.gradle.internal.buildprocess.BuildProcessState;
import org.gradle.internal.classpath.ClassPath;
import org.gradle.internal.instrumentation.agent.AgentStatus;
import org.gradle.internal.logging.LoggingManagerInternal;
import org.gradle.internal.logging.services.LoggingServiceRegistry;
import org.gradle.internal.nativeintegration.services.NativeServices;
import org.gradle.internal.service.ServiceRegistry;
import org.gradle.launcher.exec.BuildActionResult;
import org.gradle.launcher.exec.BuildExecutor;
import org.gradle.launcher.exec.DefaultBuildActionParameters;
import org.gradle.tooling.internal.provider.action.ExecuteBuildAction;

/**
 * Runs a build in this process, as {@code gradle --no-daemon} does: the program that reads the command line is not among what Gradle publishes.
 */
public final class GradleBuild {
    private GradleBuild() {
    }

    /**
     * Takes the project's directory, Gradle's home of the user, an initialization script, and a command line: {@code -Pname},
     * {@code --build-cache}, {@code --configuration-cache}, {@code --offline} and tasks. Exit status 1 if the build fails.
     */
    public static void main(String[] args) {
        File directory = new File(args[0]);
        File home = new File(args[1]);
        StartParameterInternal start = new StartParameterInternal();
        start.setProjectDir(directory);
        start.setCurrentDir(directory);
        start.setGradleUserHomeDir(home);
        start.addInitScript(new File(args[2]));
        List<String> tasks = new ArrayList<>();
        for (int i = 3; i < args.length; i++) {
            option(start, args[i], tasks);
        }
        start.setTaskNames(tasks);
        boolean failed = run(start, directory, home);
        System.exit(failed ? 1 : 0);
    }

    private static void option(StartParameterInternal start, String word, List<String> tasks) {
        if (word.startsWith("-P")) {
            Map<String, String> properties = new HashMap<>(start.getProjectProperties());
            properties.put(word.substring(2), "");
            start.setProjectProperties(properties);
        } else if (word.equals("--build-cache")) {
            start.setBuildCacheEnabled(true);
        } else if (word.equals("--configuration-cache")) {
            start.setConfigurationCache(Option.Value.value(true));
        } else if (word.equals("--offline")) {
            start.setOffline(true);
        } else {
            tasks.add(word);
        }
    }

    private static boolean run(StartParameterInternal start, File directory, File home) {
        NativeServices.initializeOnClient(home, NativeServices.NativeServicesMode.DISABLED);
        ServiceRegistry logging = LoggingServiceRegistry.newCommandLineProcessLogging();
        LoggingManagerInternal console = logging.getFactory(LoggingManagerInternal.class).create();
        console.captureSystemSources();
        console.attachProcessConsole(ConsoleOutput.Plain);
        console.setLevelInternal(LogLevel.LIFECYCLE);
        console.start();
        try (BuildProcessState process = new BuildProcessState(
                false, AgentStatus.disabled(), ClassPath.EMPTY, logging, NativeServices.getInstance())) {
            BuildRequestContext context = new DefaultBuildRequestContext(
                    new DefaultBuildRequestMetaData(System.currentTimeMillis()), new DefaultBuildCancellationToken(),
                    new NoOpBuildEventConsumer());
            BuildActionResult result = process.getServices().get(BuildExecutor.class).execute(
                    new ExecuteBuildAction(start),
                    new DefaultBuildActionParameters(
                            System.getProperties(), System.getenv(), directory, LogLevel.LIFECYCLE, false, ClassPath.EMPTY),
                    context);
            return result.hasFailure();
        } finally {
            console.stop();
        }
    }
}
