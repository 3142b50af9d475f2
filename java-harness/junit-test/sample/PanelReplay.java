package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jinsi.junit.JinsiReplay;
import jinsi.junit.ReplayMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A written test as jinsi makes them, in several variants; what each must end with is in {@code JinsiReplayTest}. */
@ExtendWith(JinsiReplay.class)
@ReplayMode(recorded = true)
class PanelReplay {
    @Test
    void passes() {
        Panel panel = new Panel();
        Gauge gauge = JinsiReplay.object(2);
        panel.setGauge(gauge);
        assertEquals(9, panel.show());
    }

    @Test
    void reachesWhatSourceCannot() {
        Object panel = JinsiReplay.construct("sample.Panel", "()V");
        JinsiReplay.call("sample.Panel", "setGauge", "(Lsample/Gauge;)V", panel, JinsiReplay.<Object>object(2));
        int shown = JinsiReplay.call("sample.Panel", "show", "()I", panel);
        assertEquals(9, shown);
        assertEquals(panel, JinsiReplay.object(1));
    }

    @Test
    void failsAsRecorded() {
        new Panel().alerted(101);
    }

    @Test
    void failsInsideBridge() {
        new Panel().show();
    }

    @Test
    void asksTooMuch() {
        Panel panel = new Panel();
        panel.setGauge(JinsiReplay.object(2));
        assertEquals(9, panel.show());
        // The tested code catches the error; the test fails all the same.
        assertEquals(-1, panel.showTwice());
    }

    @Test
    void needsWhatWasNotMade() {
        assertThrows(AssertionError.class, () -> JinsiReplay.object(1));
    }
}
