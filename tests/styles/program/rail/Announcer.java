package rail;

/** Speaks to those on the platform. */
public interface Announcer {
    void say(String text);

    int volume();
}
