package ledgertest;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs a feature of the specification as a build does. */
public final class Spock {
    private Spock() {
    }

    public static void main(String[] args) throws Throwable {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod("ledgertest.LedgerSpec", args[0]))
                .build();
        LauncherFactory.create().execute(request, listener);
        if (listener.getSummary().getTestsFoundCount() != 1) {
            throw new IllegalArgumentException("no feature is called " + args[0]);
        }
        if (!listener.getSummary().getFailures().isEmpty()) {
            throw listener.getSummary().getFailures().get(0).getException();
        }
    }
}
