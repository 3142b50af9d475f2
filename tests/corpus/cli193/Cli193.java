package cli193;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.commons.cli.HelpFormatter;

/** Writes texts in narrower and narrower columns. */
public class Cli193 {
    private Cli193() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        HelpFormatter help = new HelpFormatter();
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        for (int width = 30; width > 0; width -= 5) {
            help.printWrapped(out, width, "A text that is broken at blanks");
            help.printWrapped(out, width, width / 3, "Averylongword thatdoesnotfit");
        }
        out.flush();
        System.out.println(text.toString().length());
    }
}
