package jinsi.maven;

import java.nio.file.Paths;
import java.util.List;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;

/** Which program starts the JVMs of tests, found as Surefire finds it. */
final class TestJvm {
    private static final String JDK = "jdk";

    private TestJvm() {}

    /** The program of an execution. */
    static String of(TestRun run, ToolchainManager toolchains, MavenSession session) {
        if (run.jvm() != null) {
            return run.jvm();
        }
        Toolchain toolchain = null;
        if (!run.toolchain().isEmpty()) {
            List<Toolchain> found = toolchains.getToolchains(session, JDK, run.toolchain());
            toolchain = found == null || found.isEmpty() ? null : found.get(0);
        }
        if (toolchain == null) {
            toolchain = toolchains.getToolchainFromBuildContext(JDK, session);
        }
        String program = toolchain == null ? null : toolchain.findTool("java");
        return program != null ? program : Paths.get(System.getProperty("java.home"), "bin", "java").toString();
    }
}
