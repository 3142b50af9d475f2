package jinsi.rerun;

import static jinsi.rerun.Reflection.call;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The JUnit Platform, with the engines that it finds: JUnit 5 and later, JUnit 4 by its vintage engine, Spock, Kotest, and others. */
final class PlatformEngine implements Engine {
    private static final String LAUNCHER = "org.junit.platform.launcher.Launcher";
    private static final String LISTENER = "org.junit.platform.launcher.TestExecutionListener";
    private static final String PLAN = "org.junit.platform.launcher.TestPlan";
    private static final String IDENTIFIER = "org.junit.platform.launcher.TestIdentifier";
    private static final String FACTORY = "org.junit.platform.launcher.core.LauncherFactory";
    private static final String BUILDER = "org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder";
    private static final String SELECTORS = "org.junit.platform.engine.discovery.DiscoverySelectors";
    private static final String METHOD_SOURCE = "org.junit.platform.engine.support.descriptor.MethodSource";
    private static final String CLASS_SOURCE = "org.junit.platform.engine.support.descriptor.ClassSource";
    /** In the identity of a method that JUnit runs several times. */
    private static final String TEMPLATE = "[test-template:";

    @Override
    public boolean run(TestName test) throws ReflectiveOperationException {
        if (!Reflection.exists(FACTORY) || test.load() == null) {
            return false;
        }
        Object wholeClass = call(SELECTORS, "selectClass", null, test.className);
        Object launcher = call(FACTORY, "create", null);
        Object found = call(LAUNCHER, "discover", launcher, request(List.of(wholeClass)));
        List<Object> identifiers = identifiers(found);
        if (identifiers.isEmpty()) {
            return false;
        }
        List<Object> selected = selected(test, identifiers);
        // An engine may tell its tests only when it runs them.
        Object request = request(selected.isEmpty() ? List.of(wholeClass) : selected);
        Object noListeners = Array.newInstance(Reflection.load(LISTENER), 0);
        call(LAUNCHER, "execute", launcher, request, noListeners);
        return true;
    }

    /** Selects the test among those of its class; empty if it is not one of them. */
    private static List<Object> selected(TestName test, List<Object> identifiers) throws ReflectiveOperationException {
        List<Object> exact = new ArrayList<>();
        List<Object> method = new ArrayList<>();
        for (Object identifier : identifiers) {
            Object source = ((Optional<?>) call(IDENTIFIER, "getSource", identifier)).orElse(null);
            String id = (String) call(IDENTIFIER, "getUniqueId", identifier);
            if (isA(METHOD_SOURCE, source)) {
                if (!call(METHOD_SOURCE, "getClassName", source).equals(test.className)) {
                    continue;
                }
                String name = (String) call(METHOD_SOURCE, "getMethodName", source);
                String run = TestName.runOf((String) call(IDENTIFIER, "getLegacyReportingName", identifier));
                if (test.name.equals(name + run)) {
                    exact.add(byId(id));
                } else if (test.method().equals(name)) {
                    method.add(byId(id.substring(id.lastIndexOf('/') + 1).startsWith(TEMPLATE) ? id + invocation(test) : id));
                }
            } else if (isA(CLASS_SOURCE, source) && call(CLASS_SOURCE, "getClassName", source).equals(test.className)
                    && test.name.equals(call(IDENTIFIER, "getDisplayName", identifier))) {
                exact.add(byId(id));
            }
        }
        return exact.isEmpty() ? method : exact;
    }

    /** The end of the identity of one run of a method. */
    private static String invocation(TestName test) {
        String run = test.run();
        return run.isEmpty() ? "" : "/[test-template-invocation:#" + run.substring(1, run.length() - 1) + "]";
    }

    private static Object byId(String id) throws ReflectiveOperationException {
        return call(SELECTORS, "selectUniqueId", null, id);
    }

    private static boolean isA(String className, Object object) throws ClassNotFoundException {
        return Reflection.load(className).isInstance(object);
    }

    private static Object request(List<Object> selectors) throws ReflectiveOperationException {
        Object builder = call(BUILDER, "request", null);
        call(BUILDER, "selectors", builder, selectors);
        return call(BUILDER, "build", builder);
    }

    /** All that was found, but for the engines themselves. */
    private static List<Object> identifiers(Object plan) throws ReflectiveOperationException {
        List<Object> all = new ArrayList<>();
        for (Object root : (Collection<?>) call(PLAN, "getRoots", plan)) {
            all.addAll((Collection<?>) call(PLAN, "getDescendants", plan, root));
        }
        return all;
    }
}
