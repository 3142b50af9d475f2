package org.apache.maven.surefire.suites;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes, one after the other, and writes what became of them into a file, one line an event, with tabs between its parts:
 * {@code BEGIN class}, {@code TEST outcome class name framework id}, {@code HITS numbers}, {@code TIMEOUT class}, {@code END class milliseconds}.
 *
 * <p>It is in a package of Surefire's, so that what stands below the tests has the name that it has in a build: jinsi knows by it that this is not the program.
 *
 * <p>Arguments: a file with the names of the classes; the file to write; seconds for each class; a class to link first, or {@code -}; a file
 * with ids of tests behind whose class no other one is run if they fail, or {@code -}; seconds after which no further class is begun.
 */
public final class SuiteRunner {
    private static final int TIMED_OUT = 4;
    private static final int DOES_NOT_LINK = 5;

    private final PrintWriter lines;
    private final Set<String> decisive;
    private boolean decided;

    private SuiteRunner(PrintWriter lines, Set<String> decisive) {
        this.lines = lines;
        this.decisive = decisive;
    }

    /** Runs the tests; exit status 0 whatever becomes of them. */
    public static void main(String[] args) throws IOException {
        link(args[3]);
        List<String> classes = Files.readAllLines(Path.of(args[0]));
        Set<String> decisive = args[4].equals("-") ? Set.of() : new HashSet<>(Files.readAllLines(Path.of(args[4])));
        try (PrintWriter lines = new PrintWriter(Files.newBufferedWriter(Path.of(args[1])))) {
            new SuiteRunner(lines, decisive).run(classes, Long.parseLong(args[2]), Long.parseLong(args[5]));
        }
        // Tests may leave threads behind that would keep the JVM.
        System.exit(0);
    }

    /** Has the JVM verify a class, which is not initialized by that. */
    private static void link(String name) {
        if (name.equals("-")) {
            return;
        }
        try {
            Class.forName(name, false, SuiteRunner.class.getClassLoader()).getDeclaredFields();
        } catch (VerifyError | ClassFormatError e) {
            System.err.println(e);
            Runtime.getRuntime().halt(DOES_NOT_LINK);
        } catch (ClassNotFoundException | LinkageError e) {
            // Something else is missing, as it would be for the original.
        }
    }

    private void run(List<String> classes, long seconds, long secondsOfAll) {
        long begun = System.nanoTime();
        AtomicLong deadline = new AtomicLong(Long.MAX_VALUE);
        Launcher launcher = LauncherFactory.create();
        MethodHandle hits = hits();
        for (String name : classes) {
            line("BEGIN", name);
            long start = System.nanoTime();
            deadline.set(start + seconds * 1_000_000_000L);
            watch(deadline, name);
            run(launcher, name);
            deadline.set(Long.MAX_VALUE);
            if (hits != null) {
                try {
                    line("HITS", (String) hits.invokeExact());
                } catch (Throwable e) {
                    throw new IllegalStateException(e);
                }
            }
            line("END", name, Long.toString((System.nanoTime() - start) / 1_000_000));
            if (decided || System.nanoTime() - begun > secondsOfAll * 1_000_000_000L) {
                return;
            }
        }
    }

    private void run(Launcher launcher, String name) {
        try {
            Class.forName(name, false, SuiteRunner.class.getClassLoader());
            LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
            request.selectors(Collections.singletonList(DiscoverySelectors.selectClass(name)));
            launcher.execute(request.build(), new Outcomes());
        } catch (Throwable e) {
            // A class that cannot be loaded has no tests.
            line("REFUSED", name, e.getClass().getName());
        }
    }

    /** Ends the JVM at the deadline, unless that is put off. */
    private void watch(AtomicLong deadline, String name) {
        long own = deadline.get();
        Thread watch = new Thread(() -> {
            while (deadline.get() == own) {
                if (System.nanoTime() - own > 0) {
                    line("TIMEOUT", name);
                    Runtime.getRuntime().halt(TIMED_OUT);
                }
                try {
                    Thread.sleep(50);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }, "limit");
        watch.setDaemon(true);
        watch.start();
    }

    private static MethodHandle hits() {
        try {
            Class<?> hits = Class.forName("jinsi.hits.Hits");
            return MethodHandles.publicLookup().findStatic(hits, "take", MethodType.methodType(String.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private synchronized void line(String... parts) {
        lines.println(String.join("\t", parts));
        lines.flush();
    }

    /** Writes a line for each test that ends, and for each container that does not end well. */
    private final class Outcomes implements TestExecutionListener {
        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            outcome("SKIPPED", test);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
            if (test.isTest() || !passed) {
                String why = result.getThrowable().map(thrown -> " " + thrown.getClass().getName()).orElse("");
                outcome(result.getStatus() + why, test);
            }
        }

        private void outcome(String outcome, TestIdentifier test) {
            String id = test.getUniqueId().replaceAll("\\s", " ");
            decided |= outcome.startsWith("FAILED") && decisive.contains(id);
            line("TEST", outcome, className(test), name(test), framework(test), id);
        }

        private String className(TestIdentifier test) {
            TestSource source = test.getSource().orElse(null);
            if (source instanceof MethodSource) {
                return ((MethodSource) source).getClassName();
            }
            return source instanceof ClassSource ? ((ClassSource) source).getClassName() : "(unknown)";
        }

        /** The method, with a number behind it if it is one of several runs of the method. */
        private String name(TestIdentifier test) {
            TestSource source = test.getSource().orElse(null);
            if (!(source instanceof MethodSource)) {
                return (test.isContainer() ? "(class)" : test.getDisplayName()).replaceAll("\\s", " ");
            }
            String reported = test.getLegacyReportingName();
            int number = reported.endsWith("]") ? reported.lastIndexOf('[') : -1;
            return ((MethodSource) source).getMethodName() + (number < 0 ? "" : reported.substring(number).replaceAll("\\s", " "));
        }

        private String framework(TestIdentifier test) {
            String id = test.getUniqueId();
            if (id.startsWith("[engine:junit-vintage]")) {
                return isJUnit3(className(test)) ? "junit3" : "junit4";
            }
            if (id.startsWith("[engine:junit-jupiter]")) {
                return "junit5";
            }
            int end = id.indexOf(']');
            return end < 0 ? id : id.substring("[engine:".length(), end);
        }

        private boolean isJUnit3(String name) {
            try {
                for (Class<?> c = Class.forName(name); c != null; c = c.getSuperclass()) {
                    if (c.getName().equals("junit.framework.TestCase")) {
                        return true;
                    }
                }
            } catch (ClassNotFoundException | LinkageError e) {
                return false;
            }
            return false;
        }
    }
}
