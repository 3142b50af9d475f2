package redefined.lib;

/** What observed classes inherit from; its instances carry their identity in a field. */
public class Base {
    protected long sum;

    public long add(long n) {
        sum += n;
        return sum;
    }
}
