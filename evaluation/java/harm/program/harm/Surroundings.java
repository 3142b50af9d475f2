package harm;

import java.io.File;
import java.nio.file.Path;
import java.util.Base64;

/** What a program may harm. */
final class Surroundings {
    private final String place;
    final int tcp;
    final int udp;
    final Path unix;
    /** Beginning of the names of files that fill the disk. */
    final String filler;
    /** A class file. */
    final byte[] payload;

    /** From the arguments of the program. */
    Surroundings(String... arguments) {
        place = arguments[2];
        tcp = Integer.parseInt(arguments[3]);
        udp = Integer.parseInt(arguments[4]);
        unix = Path.of(arguments[5]);
        filler = arguments[6];
        payload = Base64.getDecoder().decode(arguments[7]);
    }

    String name(String name) {
        return place + "/" + name;
    }

    File file(String name) {
        return new File(name(name));
    }

    Path path(String name) {
        return Path.of(name(name));
    }
}
