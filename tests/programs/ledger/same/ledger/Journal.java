package ledger;

/** Takes what is printed, line by line. */
public interface Journal {
    void line(String text);
}
