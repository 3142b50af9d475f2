package neighbour;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.TreeSet;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.tools.ExecFileLoader;

/**
 * Prints what a file of JaCoCo's says of the program's classes, a line each: name, identity of the class file, probes that were passed. These lie on the
 * class path. Others of its package are mocks, which have another name in each run.
 */
public final class Coverage {
    private Coverage() {}

    /** Argument: the file. */
    public static void main(String[] arguments) throws IOException {
        ExecFileLoader file = new ExecFileLoader();
        file.load(new File(arguments[0]));
        TreeSet<String> lines = new TreeSet<>();
        for (ExecutionData data : file.getExecutionDataStore().getContents()) {
            String name = data.getName();
            boolean lies = Coverage.class.getResource("/" + name + ".class") != null;
            if (lies && name.startsWith("parcels/")) {
                lines.add(name + " " + Long.toHexString(data.getId()) + " " + Arrays.toString(data.getProbes()));
            }
        }
        lines.forEach(System.out::println);
    }
}
