package configuration639;

import java.util.List;
import org.apache.commons.configuration2.io.CombinedLocationStrategy;
import org.apache.commons.configuration2.io.FileLocationStrategy;
import org.apache.commons.configuration2.io.FileSystemLocationStrategy;
import org.apache.commons.configuration2.io.ProvidedURLLocationStrategy;

/** Combines strategies that locate files. */
public class Configuration639 {
    private Configuration639() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        List<FileLocationStrategy> strategies = List.of(new ProvidedURLLocationStrategy(), new FileSystemLocationStrategy());
        CombinedLocationStrategy strategy = new CombinedLocationStrategy(strategies);
        System.out.println(strategy.getSubStrategies().size());
    }
}
