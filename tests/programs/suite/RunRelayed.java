package suite;

import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs the tests of a class with {@link RelayEngine}; the exit status is the number of failures. */
public class RunRelayed {
    public static void main(String[] args) throws ClassNotFoundException {
        LauncherConfig config = LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .addTestEngines(new RelayEngine(Class.forName(args[0])))
                .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create(config).execute(LauncherDiscoveryRequestBuilder.request().build(), summary);
        System.exit((int) summary.getSummary().getTestsFailedCount());
    }
}
