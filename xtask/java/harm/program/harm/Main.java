package harm;

/**
 * A program that does one harmful thing in one way, and then fails: {@code Main CANARY WAY PLACE TCP UDP UNIX}.
 *
 * <p>PLACE is the directory that it harms, TCP and UDP are ports on the loopback, UNIX is a socket. What it needs to know beyond that is
 * in files of that directory, which are others when the recorded run is replayed.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Throwable {
        Surroundings around = new Surroundings(arguments[2], arguments[3], arguments[4], arguments[5]);
        String way = arguments[1];
        Canary canary = Ways.canary(way, arguments[0], around);
        Job job = new Job(canary);
        job.begin("first");
        job.begin("second");
        job.run(way);
    }
}
