package cli133;

import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.PosixParser;

/** Parses a command line and asks for options. */
public class Cli133 {
    private Cli133() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws Exception {
        Options options = new Options();
        options.addOption("f", "file", true, "what is read");
        options.addOption("v", false, "says more");
        CommandLine line = new PosixParser().parse(options, new String[] {"-v", "--file", "x.txt", "rest"});
        System.out.println(line.getOptionValue("f") + " " + line.hasOption("v") + " " + line.getArgList());
        for (String name : new String[] {"file", "q", null}) {
            System.out.println(line.hasOption(name));
        }
    }
}
