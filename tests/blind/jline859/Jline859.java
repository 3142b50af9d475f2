package jline859;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jline.console.CmdDesc;
import org.jline.console.CmdLine;
import org.jline.console.impl.SystemRegistryImpl;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;

/** Describes the commands of a shell as they are typed, as the tips below its line do. */
public class Jline859 {
    private Jline859() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws IOException {
        Terminal terminal = new DumbTerminal(new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream());
        SystemRegistryImpl registry = new SystemRegistryImpl(new DefaultParser(), terminal, () -> Paths.get(""), null);
        registry.setCommandRegistries();
        describe(registry, "help", "help", CmdLine.DescriptionType.COMMAND);
        describe(registry, "(", "", CmdLine.DescriptionType.METHOD);
    }

    /** Prints what is said of what was typed. */
    private static void describe(SystemRegistryImpl registry, String typed, String head, CmdLine.DescriptionType type) {
        List<String> words = new ArrayList<>(Arrays.asList(typed));
        CmdDesc description = registry.commandDescription(new CmdLine(typed, head, "", words, type));
        System.out.println(typed + ": " + (description == null ? "nothing is known" : description.getMainDesc()));
    }
}
