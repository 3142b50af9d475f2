package losses;

/** Defined by a class loader of the program; the JVM asks that for {@link PluginPart} and nothing else. */
public final class Plugin implements Runnable {
    private PluginPart part;

    @Override
    public void run() {
        part = new PluginPart();
    }
}
