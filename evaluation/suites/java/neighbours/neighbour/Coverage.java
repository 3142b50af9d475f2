package neighbour;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.TreeSet;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.tools.ExecFileLoader;

/** Prints what a file of JaCoCo's says of the program's classes, a line each: name, identity of the class file, probes that were passed. */
public final class Coverage {
    private Coverage() {}

    /** Argument: the file. */
    public static void main(String[] arguments) throws IOException {
        ExecFileLoader file = new ExecFileLoader();
        file.load(new File(arguments[0]));
        TreeSet<String> lines = new TreeSet<>();
        for (ExecutionData data : file.getExecutionDataStore().getContents()) {
            if (data.getName().startsWith("parcels/")) {
                lines.add(data.getName() + " " + Long.toHexString(data.getId()) + " " + Arrays.toString(data.getProbes()));
            }
        }
        lines.forEach(System.out::println);
    }
}
