package jinsi.replay;

import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/** Something that is set before code runs for real, and put back afterwards. */
final class Setting {
    /** What is set. Their places are those of {@link Codes}. */
    enum Kind { TIME_ZONE, LOCALE, PROPERTY }

    /** The language of the program that is replayed, as a tag; {@code null} if it is not known. */
    private static final String LANGUAGE = System.getProperty("jinsi.replay.language");

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

    /**
     * What a replay needs of the surroundings: the language. Code that runs for real asks for it, and no event says so.
     */
    static List<Setting> ofReplay() {
        return LANGUAGE == null ? List.of() : List.of(new Setting(Kind.LOCALE, LANGUAGE, null));
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

    /** Observed code has set the default language. The recording answers that, but what runs for real behind it asks the JVM. */
    static void follow(Member member, Object[] args) {
        if (!member.owner.equals("java/util/Locale") || !member.name.equals("setDefault")) {
            return;
        }
        Object language = args[args.length - 1];
        if (args.length == 1 && language instanceof Locale) {
            Locale.setDefault((Locale) language);
        } else if (args[0] instanceof Locale.Category && language instanceof Locale) {
            Locale.setDefault((Locale.Category) args[0], (Locale) language);
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
