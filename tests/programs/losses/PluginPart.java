package losses;

/** A part. */
public final class PluginPart {
    final int number = 4;
}
