package harm;

import java.io.File;
import java.nio.file.Path;

/** What a program may harm. */
final class Surroundings {
    private final String place;
    final int tcp;
    final int udp;
    final Path unix;

    Surroundings(String place, String tcp, String udp, String unix) {
        this.place = place;
        this.tcp = Integer.parseInt(tcp);
        this.udp = Integer.parseInt(udp);
        this.unix = Path.of(unix);
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
