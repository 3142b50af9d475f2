package columns;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints words in columns. */
@Command(name = "columns", mixinStandardHelpOptions = true, description = "Prints words in columns.")
public class Main implements Callable<Integer> {
    @Option(names = {"-w", "--width"}, description = "columns of the page", defaultValue = "40")
    private int width;

    @Parameters(arity = "1..*", description = "the words")
    private List<String> words;

    @Override
    public Integer call() {
        for (String line : new Layout(width).lines(words)) {
            System.out.println(line);
        }
        return 0;
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
