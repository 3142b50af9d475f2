package harm;

/**
 * A program that does one harmful thing in one way, and then fails: {@code Main CANARY WAY PLACE TCP UDP UNIX FILLER PAYLOAD}.
 *
 * <p>PLACE is the directory that it harms, TCP and UDP are ports on the loopback, UNIX is a socket, FILLER begins the names of files that fill
 * the disk, PAYLOAD is a class file in Base64. How much it does is the length of a file, which is another one when the recorded run is
 * replayed: that can be seen even where nothing can be read.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Throwable {
        Surroundings around = new Surroundings(arguments);
        String way = arguments[1];
        Canary canary = Ways.canary(way, arguments[0], around);
        Job job = new Job(canary);
        job.begin("first");
        job.begin("second");
        job.run(way);
    }
}
