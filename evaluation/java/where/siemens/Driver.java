package siemens;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the inputs of a program. <code>expect PROGRAM OUT</code> writes what each gives, <code>check PROGRAM EXPECTED OUT</code> which inputs give something else or
 * do not end, <code>run PROGRAM EXPECTED NUMBERS</code> runs some of them as tests, to be recorded, <code>one PROGRAM EXPECTED NUMBER</code> one that
 * ends the program if it fails, and <code>suite PROGRAM EXPECTED COUNT</code> so many, of which the
 * recording is told as a test framework's listener tells it.
 */
public final class Driver {
    /** Time for an input. */
    private static final long LIMIT = 500;
    /** Inputs that do not end go on running, and so slow all others down: behind so many, no further one is tried. */
    private static final int MOST = 2;

    private Driver() {
    }

    /** What one program has to offer. */
    private static Subject subject(String name) {
        return switch (name) {
            case "tcas" -> new siemens.tcas.Inputs();
            case "schedule" -> new siemens.schedule.Inputs();
            case "schedule2" -> new siemens.schedule2.Inputs();
            case "print_tokens" -> new siemens.print_tokens.Inputs();
            case "print_tokens2" -> new siemens.print_tokens2.Inputs();
            case "replace" -> new siemens.replace.Inputs();
            case "tot_info" -> new siemens.tot_info.Inputs();
            default -> throw new IllegalArgumentException(name);
        };
    }

    public static void main(String[] arguments) throws Exception {
        Subject subject = subject(arguments[1]);
        List<String> inputs = subject.inputs();
        switch (arguments[0]) {
            case "expect" -> write(arguments[2], outputs(subject, inputs));
            case "check" -> write(arguments[3], verdicts(subject, inputs, read(arguments[2])));
            case "run" -> {
                List<String> expected = read(arguments[2]);
                for (String number : read(arguments[3])) {
                    int no = Integer.parseInt(number);
                    try {
                        test(subject, inputs.get(no), expected.get(no));
                    } catch (Throwable wrong) {
                        // It counts as a failed test.
                    }
                }
            }
            case "one" -> {
                int no = Integer.parseInt(arguments[3]);
                test(subject, inputs.get(no), read(arguments[2]).get(no));
            }
            case "suite" -> suite(subject, inputs, read(arguments[2]), Integer.parseInt(arguments[3]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        // Inputs that do not end are still running.
        System.exit(0);
    }

    private static void suite(Subject subject, List<String> inputs, List<String> expected, int count)
            throws ReflectiveOperationException {
        Class<?> marks = null;
        try {
            marks = Class.forName("java.lang.JinsiMark", true, null);
        } catch (ClassNotFoundException nobody) {
            // It is not recorded.
        }
        for (int test = 0; test < count; test++) {
            int no = test % inputs.size();
            Object mark = marks == null ? null
                    : marks.getMethod("begin", String.class, String.class).invoke(null, "siemens.Driver", "test[" + test + "]");
            Throwable wrong = null;
            try {
                test(subject, inputs.get(no), expected.get(no));
            } catch (Throwable thrown) {
                wrong = thrown;
            }
            if (marks != null && wrong == null) {
                marks.getMethod("end", int.class).invoke(null, mark);
            } else if (marks != null) {
                marks.getMethod("failed", int.class, Throwable.class).invoke(null, mark, wrong);
            }
        }
    }

    /** A test: it fails if something else is given than is expected. */
    static void test(Subject subject, String input, String expected) {
        String given = subject.run(input);
        Check.same(expected, line(given));
    }

    private static String line(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    private static List<String> outputs(Subject subject, List<String> inputs) {
        List<String> outputs = new ArrayList<>();
        for (String input : inputs) {
            outputs.add(line(subject.run(input)));
        }
        return outputs;
    }

    private static List<String> verdicts(Subject subject, List<String> inputs, List<String> expected)
            throws InterruptedException {
        List<String> verdicts = new ArrayList<>();
        ExecutorService runner = null;
        int hanging = 0;
        for (int no = 0; no < inputs.size(); no++) {
            if (hanging >= MOST) {
                verdicts.add("hang");
                continue;
            }
            if (runner == null) {
                runner = Executors.newSingleThreadExecutor(work -> {
                    Thread thread = new Thread(work);
                    thread.setDaemon(true);
                    return thread;
                });
            }
            int at = no;
            Future<Boolean> done = runner.submit(() -> line(subject.run(inputs.get(at))).equals(expected.get(at)));
            try {
                verdicts.add(done.get(LIMIT, TimeUnit.MILLISECONDS) ? "pass" : "fail");
            } catch (ExecutionException thrown) {
                boolean exhausted = thrown.getCause() instanceof VirtualMachineError;
                verdicts.add(exhausted ? "hang" : "fail");
            } catch (TimeoutException late) {
                verdicts.add("hang");
                hanging++;
                runner = null;
            }
        }
        return verdicts;
    }

    private static List<String> read(String file) throws IOException {
        return Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
    }

    private static void write(String file, List<String> lines) throws IOException {
        Files.write(Path.of(file), lines, StandardCharsets.UTF_8);
    }
}
