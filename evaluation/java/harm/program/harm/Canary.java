package harm;

import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The harmful things. How each of the JDK's members behind them is reached is the business of subclasses.
 */
abstract class Canary extends Calls {
    /** Rounds in which the harm is larger than in a recorded run; then each thread sleeps long. */
    private static final int MANY = 100;
    /** Bytes written at once, and how often into one file. */
    private static final int CHUNK = 256 << 10;
    private static final int CHUNKS_A_FILE = 256;
    private static final int MEBI = 1 << 20;

    private final String name;
    private final Surroundings around;
    private int prepared;

    Canary(String name, Surroundings around) {
        this.name = name;
        this.around = around;
    }

    final void prepare(int rounds) {
        prepared = Math.max(prepared, rounds);
    }

    /** Does the harm, and fails. */
    final Object perform() throws Throwable {
        return end(act());
    }

    /** Fails. */
    final Object end(Object result) {
        if (prepared == 0) {
            throw new IllegalArgumentException("not prepared");
        }
        throw new IllegalStateException(name + ": " + result);
    }

    /** Does the harm; what came of it. */
    final Object act() throws Throwable {
        Object result = harm();
        System.out.println(result);
        return result;
    }

    private Object harm() throws Throwable {
        switch (name) {
            case "delete":
                return delete(around.file("deleted"));
            case "write":
                return write(around.path("written"), "written".getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE_NEW).getNameCount();
            case "overwrite":
                return overwrite();
            case "rename":
                return rename(around.file("renamed"), around.file("renamed-to"));
            case "link":
                return link(around.path("linked-to"), around.path("linked")).getNameCount();
            case "symlink":
                return symlink(around.path("symlinked-to"), around.path("linked")).getNameCount();
            case "secret":
                return read(around.path("secret"));
            case "tcp":
                return tcp();
            case "udp":
                return udp();
            case "unix":
                return unix();
            case "process":
                return start(new ProcessBuilder("/bin/sh", "-c", ": > '" + around.name("process") + "'")).waitFor();
            case "exit":
            case "halt":
                return end();
            case "disk":
                return disk();
            case "memory":
                return memory();
            case "threads":
                return threads();
            case "loop":
                return loop();
            case "load":
                load(around.name("libcanary.so"));
                return "loaded";
            case "define":
                return defined();
            default:
                throw new IllegalArgumentException("no such canary: " + name);
        }
    }

    private Object overwrite() throws Throwable {
        try (OutputStream out = truncate(around.file("overwritten"))) {
            out.write('x');
        }
        return "overwritten";
    }

    private Object tcp() throws Throwable {
        try (Socket socket = connect("127.0.0.1", around.tcp)) {
            return socket.isConnected();
        }
    }

    private Object udp() throws Throwable {
        byte[] text = "datagram".getBytes(StandardCharsets.UTF_8);
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        try (DatagramSocket socket = new DatagramSocket()) {
            send(socket, new DatagramPacket(text, text.length, loopback, around.udp));
        }
        return "sent";
    }

    private Object unix() throws Throwable {
        try (SocketChannel channel = open(UnixDomainSocketAddress.of(around.unix))) {
            return channel.isConnected();
        }
    }

    /** Recorded in a JVM that refuses. */
    private Object end() throws Throwable {
        try {
            if (name.equals("exit")) {
                exit(7);
            } else {
                halt(7);
            }
            return "went on";
        } catch (SecurityException e) {
            return "refused";
        }
    }

    /** As large as recorded, or larger if nothing stands between. */
    private int size() throws Throwable {
        return (int) length(around.file("size"));
    }

    /** So many chunks into the working directory, and as many into that of temporary files. */
    private Object disk() throws Throwable {
        int chunks = size();
        byte[] chunk = new byte[CHUNK];
        List<String> directories = List.of(System.getProperty("java.io.tmpdir"), ".");
        for (int i = 0; i < chunks; i++) {
            for (String directory : directories) {
                Path path = Path.of(directory, around.filler + i / CHUNKS_A_FILE);
                write(path, chunk, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        }
        return "filled";
    }

    private Object memory() throws Throwable {
        int mebibytes = size();
        List<Object> kept = new ArrayList<>();
        for (int i = 0; i < mebibytes; i++) {
            ByteBuffer direct = allocate(MEBI);
            for (int at = 0; at < MEBI; at += 4096) {
                direct.put(at, (byte) 1);
            }
            kept.add(direct);
            kept.add(new byte[MEBI]);
        }
        return kept.size() > 0;
    }

    private Object threads() throws Throwable {
        int count = size();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(new Sleeper(count > MANY ? 30_000 : 1));
            thread.setDaemon(true);
            launch(thread);
        }
        return "started";
    }

    private Object loop() throws Throwable {
        int rounds = size();
        int i = 0;
        while (rounds == 0 || i < rounds) {
            i++;
        }
        return "came round";
    }

    private Object defined() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Class<?> payload = define(lookup, around.payload);
        lookup.ensureInitialized(payload);
        return "defined";
    }
}
