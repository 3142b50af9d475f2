package jsemver38;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.zafarkhaja.semver.ParseException;
import com.github.zafarkhaja.semver.Version;

/** Parses versions, at last one that is none, and asks why. */
public class Jsemver38 {
    private Jsemver38() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (String text : new String[] {"0.0.1", "1.0.0-rc.1", "v0.0.1"}) {
            try {
                System.out.println(Version.valueOf(text));
            } catch (ParseException e) {
                assertThat(e.getMessage()).isNotNull();
            }
        }
    }
}
