package heirs.lib;

import heirs.app.Desk;
import heirs.app.Page;
import java.util.Arrays;
import java.util.List;

/** The environment, which has desks of its own. */
public final class Others {
    private Others() {
    }

    /** Pages that were written elsewhere. */
    public static List<Page> pages() {
        Desk desk = desk();
        return Arrays.asList(desk.cover(), desk.written(), desk.refused("some"), new Foreign(null).written().write());
    }

    /** A desk that is not observed. */
    public static Desk desk() {
        return new Foreign(null);
    }

    /** What a page is worth that was written on a desk of ours while another one is. */
    public static int between(Desk own) {
        return new Foreign(own).written().worth();
    }

    private static final class Foreign extends Desk {
        private final Desk other;

        Foreign(Desk other) {
            this.other = other;
        }

        @Override
        protected int lines() {
            cover().marks++;
            if (other == null) {
                return Integer.getInteger("heirs.lines", 2);
            }
            try {
                other.check(2);
            } catch (IllegalStateException e) {
                return other.written().worth();
            }
            throw new UnsupportedOperationException();
        }
    }
}
