package ledger.lib;

/** Has a default method, which is inherited too. */
public interface Named {
    String name();

    default String label(String account) {
        return name() + '/' + account;
    }
}
