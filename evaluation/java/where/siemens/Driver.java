package siemens;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the inputs of a program. <code>expect PROGRAM OUT</code> writes them, and what each gives, <code>check PROGRAM EXPECTED OUT</code> which inputs give something else or
 * do not end, <code>run PROGRAM EXPECTED NUMBERS</code> runs some of them as tests, to be recorded, <code>one PROGRAM EXPECTED NUMBER</code> one that
 * ends the program if it fails, and <code>suite PROGRAM EXPECTED COUNT</code> so many, of which the
 * recording is reported as a test framework's listener tells it.
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
        switch (arguments[0]) {
            case "expect" -> {
                List<String> inputs = subject.inputs();
                Lines.write(arguments[2], outputs(subject, inputs));
                Lines.writeInputs(arguments[2], inputs);
            }
            case "check" -> Lines.write(arguments[3], verdicts(subject, subject.inputs(), Lines.read(arguments[2])));
            case "run" -> {
                List<String> expected = Lines.read(arguments[2]);
                for (String number : Lines.read(arguments[3])) {
                    int no = Integer.parseInt(number);
                    try {
                        test(subject, Lines.input(arguments[2], no), expected.get(no));
                    } catch (Throwable wrong) {
                        // It counts as a failed test.
                    }
                }
            }
            case "one" -> {
                int no = Integer.parseInt(arguments[3]);
                test(subject, Lines.input(arguments[2], no), Lines.read(arguments[2]).get(no));
            }
            case "suite" -> suite(subject, subject.inputs(), Lines.read(arguments[2]), Integer.parseInt(arguments[3]));
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
        Check.same(expected, Lines.line(given));
    }

    private static List<String> outputs(Subject subject, List<String> inputs) {
        List<String> outputs = new ArrayList<>();
        for (String input : inputs) {
            outputs.add(Lines.line(subject.run(input)));
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
            Future<Boolean> done = runner.submit(() -> Lines.line(subject.run(inputs.get(at))).equals(expected.get(at)));
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
}
