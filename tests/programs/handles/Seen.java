package handles;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints what a program can see of its method references: methods, stack traces, stored forms. */
public final class Seen {
    private Seen() {
    }

    interface Named {
        default Supplier<File> file() {
            return () -> new File("named");
        }

        static Function<String, File> maker() {
            return File::new;
        }
    }

    /** Prints it. */
    public static void main(String[] args) throws Exception {
        List<String> methods = Arrays.stream(Seen.class.getDeclaredMethods()).map(Method::getName).sorted()
                .collect(Collectors.toList());
        System.out.println(methods + " " + Arrays.stream(Named.class.getDeclaredMethods()).map(Method::getName).sorted()
                .collect(Collectors.toList()));
        System.out.println(frames(() -> Stream.of((String) null).map(File::new).collect(Collectors.toList())));
        System.out.println(frames(() -> Stream.of((File) null).map(File::exists).collect(Collectors.toList())));
        File file = null;
        System.out.println(frames(() -> call(file::exists)));
        System.out.println(Named.maker().apply("a/b").getName() + new Named() { }.file().get());
        System.out.println(stored().get() > 0);
    }

    private static void call(Supplier<Boolean> asked) {
        asked.get();
    }

    private static String frames(Runnable failing) {
        try {
            failing.run();
            return "nothing";
        } catch (NullPointerException e) {
            StackTraceElement[] frames = e.getStackTrace();
            return Arrays.stream(frames).map(f -> f.getClassName().replaceAll(".*\\.", "") + "." + f.getMethodName())
                    .collect(Collectors.joining(" "));
        }
    }

    @SuppressWarnings("unchecked")
    private static Supplier<Long> stored() throws IOException, ClassNotFoundException {
        Supplier<Long> clock = (Supplier<Long> & Serializable) System::currentTimeMillis;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(clock);
        }
        String form = bytes.toString("ISO-8859-1");
        if (!form.contains("currentTimeMillis")) {
            throw new AssertionError(form);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (Supplier<Long>) in.readObject();
        }
    }
}
