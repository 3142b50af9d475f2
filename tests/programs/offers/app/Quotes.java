package offers.app;

/** Who implements it may be observed, or not. */
public interface Quotes {
    void quote(StringBuilder text, String name);
}
