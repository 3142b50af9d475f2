package jinsi.maven;

import java.util.function.Consumer;
import jinsi.build.Message;

/** Takes what the command {@code jinsi minimize} prints of failed tests, and puts it into Maven's output. */
final class CommandOutput implements Consumer<String> {
    private static final String PREFIX = "[jinsi] ";
    /** How the line with the name of a failed test begins. */
    private static final String TEST = "test     ";
    /** How the line with the file of the test to keep begins. */
    private static final String KEEP = "keep     ";
    /** What stands in the place of the file if there is none. */
    private static final String NONE = "none. ";

    private final boolean quiet;
    private final Consumer<String> info;
    private final Consumer<String> error;
    private String test = "";

    /**
     * Takes lines.
     *
     * @param quiet Maven shows errors only ({@code -q}). As Surefire then still names the failed tests, one line then names the test to keep of each
     * @param info  gets all lines otherwise
     * @param error gets the lines of a quiet build
     */
    CommandOutput(boolean quiet, Consumer<String> info, Consumer<String> error) {
        this.quiet = quiet;
        this.info = info;
        this.error = error;
    }

    @Override
    public void accept(String line) {
        if (!quiet) {
            info.accept(PREFIX + line);
        } else if (line.startsWith(TEST)) {
            test = line.substring(TEST.length());
        } else if (line.startsWith(KEEP) && !line.startsWith(NONE, KEEP.length())) {
            error.accept(Message.MINIMAL_TEST.line(test, line.substring(KEEP.length())));
        }
    }
}
