package env.app;

import env.out.EchoServer;
import env.out.Greeting;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.text.NumberFormat;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.Locale;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Asks the machine for all that it may be asked; fails with what it has heard. */
public final class Main {
    private static final ThreadLocal<String> OWN = ThreadLocal.withInitial(() -> "own " + System.nanoTime());

    private Main() {
    }

    /** Needs a file {@code words}, as resource and in the working directory, and the service. */
    public static void main(String[] args) throws Throwable {
        EchoServer server = new EchoServer();
        String all = String.join("\n", clocks(), defaults(), chance(), settings(), found(), reflection(), files(),
                connection(server.port()));
        throw new IllegalStateException(all);
    }

    private static String clocks() {
        return System.currentTimeMillis() + " " + System.nanoTime() + " " + Instant.now() + " " + Clock.systemUTC().millis()
                + " " + LocalDate.now() + " " + ZonedDateTime.now() + " " + new Date().getTime() + " "
                + Calendar.getInstance().getTimeInMillis();
    }

    private static String defaults() {
        return TimeZone.getDefault().getID() + " " + ZoneId.systemDefault() + " " + Locale.getDefault() + " "
                + Charset.defaultCharset() + " " + NumberFormat.getInstance().format(1234.5) + " "
                + new Date(0).toString();
    }

    private static String chance() {
        return Math.random() + " " + new Random().nextInt() + " " + UUID.randomUUID() + " "
                + ThreadLocalRandom.current().nextLong() + " " + OWN.get() + " " + new Object().hashCode();
    }

    private static String settings() {
        return System.getProperty("user.dir") + " " + System.getProperty("user.name") + " " + System.getenv("ENV_TEST") + " "
                + System.getenv().size() + " " + Integer.getInteger("env.number", 3) + " " + Boolean.getBoolean("env.flag")
                + " " + Runtime.getRuntime().availableProcessors() + " " + Thread.currentThread().getName() + " "
                + ProcessHandle.current().pid();
    }

    private static String found() throws IOException, ReflectiveOperationException {
        StringBuilder words = new StringBuilder();
        for (Greeting greeting : ServiceLoader.load(Greeting.class)) {
            words.append(greeting.word()).append(' ');
        }
        try (InputStream in = Main.class.getResourceAsStream("/words");
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            words.append(reader.readLine()).append(' ');
        }
        words.append(Main.class.getClassLoader().getResource("words").getPath()).append(' ');
        return words.append(Class.forName("env.out.Hello").getSimpleName()).toString();
    }

    private static String reflection() throws Throwable {
        Object parts = Class.forName("env.app.Parts").getDeclaredConstructor().newInstance();
        Field number = Parts.class.getDeclaredField("number");
        number.setAccessible(true);
        number.setInt(parts, number.getInt(parts) + 1);
        MethodHandle square = MethodHandles.lookup().findStatic(Parts.class, "square",
                MethodType.methodType(int.class, int.class));
        Object asked = Parts.class.getDeclaredMethod("number").invoke(parts);
        return asked + " " + (int) square.invokeExact(7) + " " + (int) square.invoke(8);
    }

    private static String files() throws IOException {
        File file = new File("words");
        Path path = Paths.get("words");
        try (RandomAccessFile random = new RandomAccessFile(file, "r")) {
            byte[] first = new byte[3];
            random.readFully(first);
            return file.getAbsolutePath() + " " + file.length() + " " + Files.readAllLines(path) + " "
                    + Files.getLastModifiedTime(path).toMillis() + " " + new String(first, StandardCharsets.UTF_8);
        }
    }

    private static String connection(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            byte[] answer = new byte[3];
            socket.getOutputStream().write(new byte[] {1, 2, 3});
            int count = socket.getInputStream().readNBytes(answer, 0, 3);
            return port + " " + count + " " + answer[0] + answer[1] + answer[2] + " " + socket.getInetAddress().getHostAddress();
        }
    }
}
