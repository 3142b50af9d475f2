package jinsi.build;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the plugins say in a build. Places in the texts are written <code>{name}</code>, and are filled in turn. */
public enum Message {
    SKIPPED("skipped (jinsi.skip)"),
    RECORDS("recording {classes}; -Djinsi.skip turns jinsi off"),
    MINIMIZES("writing a minimal test of each failed test; -Djinsi.skip turns jinsi off"),
    MINIMAL_TESTS("minimal tests of this build's modules:"),
    MINIMAL_TEST("{test} failed. Its minimal test: {file}"),

    NOT_RECORDED("tests are not recorded: {why}"),
    NOT_RECORDED_OF("the tests of {module} are not recorded: {why}"),
    OTHER_SYSTEM("jinsi runs on Linux on x86-64 only"),
    NOT_PREPARED("jinsi cannot prepare the recording: {error}"),
    INSIDE_MAVEN("its tests run inside Maven's JVM, which has no agent. Set forkCount to 1 or more"),
    NO_START("{java} does not start with jinsi's agent: {problem}"),
    USER_ARG_LINE("-DargLine takes the place of the agent. Write <argLine>{argLine}</argLine> in the pom instead"),
    ARG_LINE("its <argLine> leaves the agent out. Write <argLine>{argLine}</argLine>"),
    NOTHING_TO_RECORD("nothing to record: the module has no classes; name some by jinsi.observe"),

    NO_TRACE("their JVMs left no trace; if the agent could not write one, the output of the tests says so"),
    FAILED_UNRECORDED("tests of {module} failed, but nothing was recorded: {why}"),
    NOT_REPORTED("cannot write the reports: {error}"),
    NOT_REPORTED_OF("cannot write the reports of {module}: {error}"),
    NOT_REMOVED("cannot remove the results of an earlier run: {error}"),
    TOO_LONG("jinsi minimize was stopped after {minutes} minutes; the traces are in {directory}. Run jinsi minimize on one of them"),

    NOT_EXECUTABLE("cannot make {file} executable; name another directory in XDG_CACHE_HOME"),
    NOT_PACKED("this build of jinsi was packed without {file}; install the plugin again"),
    NOT_IN_JAR("jinsi is not in a jar, but in {place}; install the plugin with cargo xtask maven-plugin --install");

    private static final Pattern PLACE = Pattern.compile("\\{\\w+}");
    private static final String PREFIX = "[jinsi] ";

    private final String text;

    Message(String text) {
        this.text = text;
    }

    /** The text with these values in its places. */
    public String with(Object... values) {
        Matcher places = PLACE.matcher(text);
        StringBuffer filled = new StringBuffer();
        for (Object value : values) {
            if (places.find()) {
                places.appendReplacement(filled, Matcher.quoteReplacement(String.valueOf(value)));
            }
        }
        return places.appendTail(filled).toString();
    }

    /** The same as a line of the build's output. */
    public String line(Object... values) {
        return PREFIX + with(values);
    }
}
