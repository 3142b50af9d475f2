package jinsi.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Notes the class of what each test throws, a line a test; reports only have what the exception says of itself. */
public final class Thrown implements TestExecutionListener {
    private static final Path FILE = Path.of("target", "thrown.txt");

    /** Made by JUnit, since it is a registered service. */
    public Thrown() {
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        MethodSource source = (MethodSource) test.getSource().filter(s -> s instanceof MethodSource).orElse(null);
        Throwable thrown = result.getThrowable().orElse(null);
        if (source == null || thrown == null) {
            return;
        }
        try {
            Files.writeString(FILE, source.getClassName() + " " + thrown.getClass().getName() + "\n",
                    StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
