package sample;

import static org.junit.Assert.assertEquals;

import jinsi.junit.JinsiReplayRunner;
import jinsi.junit.RecordedTest;
import jinsi.junit.ReplayMode;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.runner.RunWith;

/** {@link PanelReplay} for JUnit 4. */
@RunWith(JinsiReplayRunner.class)
@ReplayMode(recorded = true)
public class PanelReplay4 {
    @Test
    public void passesUnder4() {
        Panel panel = new Panel();
        Gauge gauge = RecordedTest.object(2);
        panel.setGauge(gauge);
        assertEquals(9, panel.show());
    }

    @Test
    public void failsAsRecordedUnder4() {
        new Panel().alerted(101);
    }

    @Test(expected = IllegalStateException.class)
    public void isExpectedUnder4() {
        new Panel().alerted(101);
    }

    @Test
    @Ignore("not run at all")
    public void isIgnoredUnder4() {
        throw new AssertionError();
    }
}
