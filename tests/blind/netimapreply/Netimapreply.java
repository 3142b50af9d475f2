package netimapreply;

import java.io.IOException;
import org.apache.commons.net.imap.IMAPReply;

/** Looks at the replies of a server, at last at a long one. */
public class Netimapreply {
    private static final String[] REPLIES = {
        "A001 OK LOGIN completed",
        "AAAA OK [CAPABILITY IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE SORT"
                + " SORT=DISPLAY THREAD=REFERENCES THREAD=REFS THREAD=ORDEREDSUBJECT"
                + " MULTIAPPEND URL-PARTIAL CATENATE UNSELECT CHILDREN NAMESPACE UIDPLUS"
                + " LIST-EXTENDED I18NLEVEL=1 CONDSTORE QRESYNC ESEARCH ESORT SEARCHRES WITHIN"
                + " CONTEXT=SEARCH LIST-STATUS BINARY MOVE SNIPPET=FUZZY PREVIEW=FUZZY PREVIEW"
                + " STATUS=SIZE SAVEDATE XLIST LITERAL+ NOTIFY SPECIAL-USE] Logged in",
    };

    private Netimapreply() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws IOException {
        for (String reply : REPLIES) {
            System.out.println(IMAPReply.getReplyCode(reply) == IMAPReply.OK);
        }
    }
}
