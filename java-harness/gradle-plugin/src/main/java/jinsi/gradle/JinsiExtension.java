package jinsi.gradle;

import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;

/** What a build script can say in {@code jinsi { … }}. */
public abstract class JinsiExtension {
    /** Does nothing if set. Default: the Gradle property {@code jinsi.skip}. */
    public abstract Property<Boolean> getSkip();

    /**
     * Classes whose interactions are recorded: patterns over the dotted name. Default: the packages of the project's classes and of its
     * tests, and those of the projects of this build that they depend on.
     */
    public abstract ListProperty<String> getObserve();

    /** Classes taken out again. */
    public abstract ListProperty<String> getExclude();

    /** Exception classes that count as a failure when thrown, beside failed tests. */
    public abstract ListProperty<String> getFail();

    /** Fields and methods whose texts are kept out of traces, as patterns over {@code class.member}. */
    public abstract ListProperty<String> getRedact();

    /**
     * {@code boundary} (default): what crosses the edge of the observed classes; a replay computes the rest, if it goes as the tests went.
     * {@code interactions}: all of it, which costs more, for tests of which it does not.
     */
    public abstract Property<String> getDetail();

    /**
     * A failed test is run a second time, alone and with all interactions recorded, where its {@code boundary} recording gives no test to keep.
     * Default: true.
     */
    public abstract Property<Boolean> getSecondTry();

    /** When a trace is kept: {@code failure} (default) or {@code exit}. */
    public abstract Property<String> getKeepOn();

    /** Class files of libraries that a trace keeps at most, in bytes, for where the libraries are missing; default {@code 64M}. */
    public abstract Property<String> getKeepClasses();

    /** Size that a trace may reach; default {@code 4G}. */
    public abstract Property<String> getMaxSize();

    /** Where traces and reports go, each test task in a directory of its own; default {@code build/jinsi}. */
    public abstract DirectoryProperty getDirectory();
}
