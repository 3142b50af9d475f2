package notices;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps arrays in a map, which it fills later, and looks for a file that lies beside its classes. */
public final class Notices {
    private static final Map<String, int[]> COUNTS = new ConcurrentHashMap<>();

    private Notices() {
    }

    private static void count(String name) {
        int[] counts = new int[2];
        int[] old = COUNTS.putIfAbsent(name, counts);
        (old == null ? counts : old)[1]++;
    }

    private static String motto() throws IOException {
        try (InputStream in = Notices.class.getResourceAsStream("motto.txt")) {
            return in == null ? "none" : new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** Another one in each JVM. */
    private static int code() {
        return Notices.class.hashCode();
    }

    private static int mean(int sum) {
        return sum / 3;
    }

    public static void main(String[] args) throws IOException {
        count("late");
        count("late");
        System.out.println(motto() + " " + (code() == code()) + " " + mean(6));
    }
}
