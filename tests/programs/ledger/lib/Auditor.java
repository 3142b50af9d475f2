package ledger.lib;

/** The environment: what the ledger tells about itself. */
public class Auditor {
    public void note(String what, long sum) {
        System.out.println(what + ": " + sum);
    }
}
