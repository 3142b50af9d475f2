package strays.app;

/** What has a name. Lambdas may be such. */
public interface Named {
    /** The name. */
    String name();
}
