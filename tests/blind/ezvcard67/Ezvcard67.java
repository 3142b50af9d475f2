package ezvcard67;

import static org.assertj.core.api.Assertions.assertThat;

import ezvcard.Ezvcard;
import ezvcard.VCard;
import ezvcard.VCardVersion;

/** Writes cards with a note, in an old version. */
public class Ezvcard67 {
    private Ezvcard67() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        assertThat(write("foo bar")).contains("NOTE:foo bar\r\n");
        assertThat(write("foo,bar;baz")).contains("NOTE:foo,bar;baz\r\n");
    }

    private static String write(String note) {
        VCard vcard = new VCard();
        vcard.addNote(note);
        return Ezvcard.write(vcard).version(VCardVersion.V2_1).go();
    }
}
