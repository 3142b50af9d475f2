package sample;

/** Environment class as skeleton rewriting leaves it: its methods only ask. */
public class Gauge {
    private Gauge() {
    }

    /** The value shown. */
    public int read() {
        return (Integer) jinsi.replay.Replay.trap(0, this, new Object[0]);
    }

    @Override
    public int hashCode() {
        return (Integer) jinsi.replay.Replay.trap(1, this, new Object[0]);
    }

    /** A listener gets the value. */
    public void report(Panel panel) {
        jinsi.replay.Replay.trap(2, this, new Object[] {panel});
    }
}
