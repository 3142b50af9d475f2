package jinsi.maven;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailedTestsTest {
    @TempDir
    Path target;

    private void report(String directory, String attributes) throws IOException {
        Path reports = Files.createDirectories(target.resolve(directory));
        String text = "<?xml version=\"1.0\"?>\n<testsuite " + attributes + ">\n<testcase name=\"a\"><system-out>errors=\"3\" &lt;testsuite </system-out></testcase></testsuite>";
        Files.write(reports.resolve("TEST-a.A.xml"), text.getBytes());
    }

    @Test
    void failuresAndErrorsCount() throws IOException {
        assertFalse(FailedTests.in(target, 0));
        report("surefire-reports", "tests=\"3\" errors=\"0\" skipped=\"1\" failures=\"0\"");
        assertFalse(FailedTests.in(target, 0));
        report("failsafe-reports", "tests=\"12\" errors=\"10\" skipped=\"1\" failures=\"0\"");
        assertTrue(FailedTests.in(target, 0));
        assertFalse(FailedTests.in(target, System.currentTimeMillis() + 60_000), "of an earlier build");
        report("failsafe-reports", "failures=\"1\" time=\"0.1\" errors=\"0\"");
        assertTrue(FailedTests.in(target, 0));
    }
}
