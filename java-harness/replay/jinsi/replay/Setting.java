package jinsi.replay;

import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/** Something that is set before code runs for real, and put back afterwards. */
final class Setting {
    /** What is set. Their places are those of {@link Codes}. */
    enum Kind { TIME_ZONE, LOCALE, PROPERTY }

    private final Kind kind;
    private final String what;
    private final String value;

    /**
     * @param what the identifier of a time zone, a language tag, or the name of a property
     * @param value of a property
     */
    Setting(Kind kind, String what, String value) {
        this.kind = kind;
        this.what = what;
        this.value = value;
    }

    private void set() {
        switch (kind) {
            case TIME_ZONE:
                TimeZone.setDefault(TimeZone.getTimeZone(what));
                break;
            case LOCALE:
                Locale.setDefault(Locale.forLanguageTag(what));
                break;
            default:
                System.setProperty(what, value);
        }
    }

    /** Runs {@code test} with all of these. Whatever it changes of time zone, locale and properties is undone. */
    static void with(List<Setting> settings, Runnable test) {
        TimeZone zone = TimeZone.getDefault();
        Locale locale = Locale.getDefault();
        Properties properties = (Properties) System.getProperties().clone();
        try {
            settings.forEach(Setting::set);
            test.run();
        } finally {
            System.setProperties(properties);
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
        }
    }
}
