package redefined.lib;

/** What observed code calls. */
public interface Has {
    int get();
}
