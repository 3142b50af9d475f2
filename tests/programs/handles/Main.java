package handles;

import java.io.File;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Calls the machine by method references only, deletes what it is given, and fails with what it has heard. */
public final class Main {
    private Main() {
    }

    /** Takes two files. */
    public static void main(String[] args) {
        List<File> files = Stream.of(args[0], args[1]).map(File::new).collect(Collectors.toList());
        files.forEach(File::delete);
        LongSupplier clock = System::nanoTime;
        Supplier<UUID> chance = UUID::randomUUID;
        Function<String, String> setting = System::getenv;
        Runtime runtime = Runtime.getRuntime();
        Supplier<Integer> processors = runtime::availableProcessors;
        throw new IllegalStateException(clock.getAsLong() + " " + chance.get() + " " + setting.apply("HANDLES_TEST") + " "
                + processors.get() + " " + files.get(0).exists());
    }
}
