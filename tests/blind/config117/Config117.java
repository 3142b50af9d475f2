package config117;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;

/** Reads durations from a configuration. */
public class Config117 {
    private Config117() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Config config = ConfigFactory.parseString("spaced = 1 d\nlong = 1days\nhours = 24h\nshort = 1d");
        assertThat(config.getMilliseconds("spaced")).isEqualTo(86400000L);
        assertThat(config.getMilliseconds("long")).isEqualTo(86400000L);
        assertThat(config.getMilliseconds("hours")).isEqualTo(86400000L);
        assertThat(config.getMilliseconds("short")).isEqualTo(86400000L);
    }
}
