package prettytime39;

import java.util.Date;
import java.util.Locale;
import org.ocpsoft.prettytime.PrettyTime;

/** Says how long ago dates are, at last without a date. */
public class Prettytime39 {
    private Prettytime39() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        PrettyTime at = new PrettyTime(new Date(3600000), Locale.ENGLISH);
        System.out.println(at.format(new Date(0)));
        System.out.println(at.format(new Date(3000000)));
        PrettyTime now = new PrettyTime(Locale.ENGLISH);
        System.out.println(now.format((Date) null));
    }
}
