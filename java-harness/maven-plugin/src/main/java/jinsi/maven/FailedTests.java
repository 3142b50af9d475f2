package jinsi.maven;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether tests of a module failed, as Surefire's and Failsafe's reports have it. */
final class FailedTests {
    /** Where they leave their reports, unless they are configured otherwise. */
    static final String[] REPORTS = {"surefire-reports", "failsafe-reports"};

    private static final Pattern HEAD = Pattern.compile("<testsuite\\s[^>]*>");
    private static final Pattern FAILED = Pattern.compile("\\s(errors|failures)=\"[1-9]");

    private FailedTests() {}

    /**
     * Is there one?
     *
     * @param target directory of what the module's build makes
     * @param start  begin of the build, in milliseconds; older reports do not count
     */
    static boolean in(Path target, long start) throws IOException {
        for (String name : REPORTS) {
            Path reports = target.resolve(name);
            if (!Files.isDirectory(reports)) {
                continue;
            }
            try (Stream<Path> files = Files.list(reports)) {
                if (files.filter(FailedTests::isReport).anyMatch(file -> tells(file, start))) {
                    return true;
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        return false;
    }

    private static boolean isReport(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith("TEST-") && name.endsWith(".xml");
    }

    private static boolean tells(Path report, long start) {
        try {
            if (Files.getLastModifiedTime(report).toMillis() < start) {
                return false;
            }
            Matcher head = HEAD.matcher(new String(Files.readAllBytes(report), StandardCharsets.UTF_8));
            return head.find() && FAILED.matcher(head.group()).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
