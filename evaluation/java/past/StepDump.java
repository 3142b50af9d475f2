import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassObjectReference;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.StepRequest;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Executes a program instruction by instruction, through the debugger's interface of the JVM, and writes down what is the case before each: the
 * independent witness for what a recording says. It knows nothing of jinsi.
 *
 * <p>Arguments: class path, main class with its arguments, package or class prefix whose instructions are stepped through, the file to write, how many
 * instructions at most, and options of the JVM. A line a fact, its parts divided by tabs:
 *
 * <pre>
 * P                                    a new instruction is about to run
 * F class method descriptor index line a frame of the stepped code, innermost first
 * T value                              its receiver
 * L name value                         a local variable
 * O object                             an object that can be reached, of which follows
 * f class name value                   a field
 * e index value                        an element
 * </pre>
 *
 * A value is {@code n} for null, {@code s:text}, {@code b:letter:box}, {@code c:class}, {@code o:identity:class}, or a letter and a number.
 */
public final class StepDump {
    private static final int MOST_OBJECTS = 200;
    private static final int MOST_ELEMENTS = 64;

    private final VirtualMachine vm;
    private final String prefix;
    private final PrintWriter to;
    private long left;

    private StepDump(VirtualMachine vm, String prefix, PrintWriter to, long left) {
        this.vm = vm;
        this.prefix = prefix;
        this.to = to;
        this.left = left;
    }

    public static void main(String[] args) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> options = connector.defaultArguments();
        options.get("main").setValue(args[1]);
        String more = String.join(" ", Arrays.asList(args).subList(5, args.length));
        options.get("options").setValue("-Xmx256m -XX:+UseSerialGC -Xmn200m " + more + " -cp " + args[0]);
        options.get("suspend").setValue("true");
        VirtualMachine vm = connector.launch(options);
        drain(vm.process().getInputStream());
        drain(vm.process().getErrorStream());
        try (BufferedWriter file = Files.newBufferedWriter(Path.of(args[3]));
                PrintWriter to = new PrintWriter(file)) {
            new StepDump(vm, args[2], to, Long.parseLong(args[4])).run();
        }
        vm.process().destroy();
    }

    private static void drain(InputStream from) {
        Thread reader = new Thread(() -> {
            try {
                from.transferTo(java.io.OutputStream.nullOutputStream());
            } catch (IOException e) {
                // The program is gone.
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    private void run() throws Exception {
        ClassPrepareRequest prepare = vm.eventRequestManager().createClassPrepareRequest();
        prepare.addClassFilter(prefix + "*");
        prepare.addCountFilter(1);
        prepare.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        prepare.enable();
        // The program waits at its start, which is the first event: who resumes it here as well lets it run through the next one.
        while (true) {
            EventSet events = vm.eventQueue().remove();
            for (Event event : events) {
                if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
                    return;
                }
                if (event instanceof ClassPrepareEvent prepared) {
                    step(prepared.thread());
                } else if (event instanceof StepEvent step) {
                    if (point(step.thread()) && --left <= 0) {
                        vm.exit(0);
                        return;
                    }
                }
            }
            try {
                events.resume();
            } catch (VMDisconnectedException e) {
                return;
            }
        }
    }

    private void step(ThreadReference thread) {
        StepRequest step =
                vm.eventRequestManager().createStepRequest(thread, StepRequest.STEP_MIN, StepRequest.STEP_INTO);
        step.addClassFilter(prefix + "*");
        step.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        step.enable();
    }

    private boolean isStepped(Location at) {
        String name = at.declaringType().name();
        return name.startsWith(prefix) && !name.contains("/") && !name.contains("$$Lambda");
    }

    /** Writes what the case is; {@code false} if that does not count: outside of the stepped code, and while a class is initialized. */
    private boolean point(ThreadReference thread) throws Exception {
        List<StackFrame> frames = thread.frames();
        if (!isStepped(frames.get(0).location())) {
            return false;
        }
        for (StackFrame frame : frames) {
            Location at = frame.location();
            if (isStepped(at) && at.method().isStaticInitializer()) {
                return false;
            }
        }
        to.println("P");
        Deque<ObjectReference> reached = new ArrayDeque<>();
        Set<ObjectReference> seen = new HashSet<>();
        for (StackFrame frame : frames) {
            Location at = frame.location();
            if (isStepped(at)) {
                frame(frame, at, reached, seen);
            }
        }
        while (!reached.isEmpty() && seen.size() < MOST_OBJECTS) {
            object(reached.remove(), reached, seen);
        }
        return true;
    }

    private void frame(StackFrame frame, Location at, Deque<ObjectReference> reached, Set<ObjectReference> seen)
            throws Exception {
        to.println("F\t" + at.declaringType().name() + "\t" + at.method().name() + "\t" + at.method().signature() + "\t"
                + at.codeIndex() + "\t" + at.lineNumber());
        ObjectReference self = frame.thisObject();
        if (self != null) {
            to.println("T\t" + text(self));
            reach(self, reached, seen);
        }
        try {
            for (LocalVariable variable : frame.visibleVariables()) {
                Value value = frame.getValue(variable);
                to.println("L\t" + variable.name() + "\t" + text(value));
                reach(value, reached, seen);
            }
        } catch (AbsentInformationException e) {
            // Nothing is known of variables, so nothing is said.
        }
    }

    private static void reach(Value value, Deque<ObjectReference> reached, Set<ObjectReference> seen) {
        if (value instanceof ObjectReference object && seen.add(object)) {
            reached.add(object);
        }
    }

    private void object(ObjectReference object, Deque<ObjectReference> reached, Set<ObjectReference> seen) {
        if (object instanceof ArrayReference array) {
            to.println("O\t" + text(array));
            int count = Math.min(array.length(), MOST_ELEMENTS);
            List<Value> values = count == 0 ? List.of() : array.getValues(0, count);
            for (int i = 0; i < count; i++) {
                to.println("e\t" + i + "\t" + text(values.get(i)));
                reach(values.get(i), reached, seen);
            }
            return;
        }
        if (!object.referenceType().name().startsWith(prefix) || object.referenceType().name().contains("/")) {
            return;
        }
        to.println("O\t" + text(object));
        for (ReferenceType type = object.referenceType(); type instanceof ClassType known; type = known.superclass()) {
            if (!type.name().startsWith(prefix)) {
                continue;
            }
            List<Field> fields = new ArrayList<>(type.fields());
            fields.removeIf(Field::isStatic);
            // One question for all of them.
            Map<Field, Value> values = object.getValues(fields);
            for (Field field : fields) {
                Value value = values.get(field);
                to.println("f\t" + type.name() + "\t" + field.name() + "\t" + text(value));
                reach(value, reached, seen);
            }
        }
    }

    private static String text(Value value) {
        if (value == null) {
            return "n";
        }
        if (value instanceof PrimitiveValue primitive) {
            return primitive(primitive);
        }
        if (value instanceof StringReference string) {
            return "s:" + escaped(string.value());
        }
        if (value instanceof ClassObjectReference of) {
            return "c:" + of.reflectedType().name();
        }
        ObjectReference object = (ObjectReference) value;
        String name = object.referenceType().name();
        switch (name) {
            case "java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Short", "java.lang.Integer",
                    "java.lang.Long", "java.lang.Float", "java.lang.Double" -> {
                Value held = object.getValue(object.referenceType().fieldByName("value"));
                return "b:" + primitive((PrimitiveValue) held);
            }
            default -> {
                return "o:" + object.uniqueID() + ":" + name;
            }
        }
    }

    private static String primitive(PrimitiveValue value) {
        String letter = value.type().signature();
        return switch (letter) {
            case "Z" -> "Z:" + (value.booleanValue() ? 1 : 0);
            case "C" -> "C:" + (int) value.charValue();
            case "F" -> "F:" + Integer.toUnsignedString(Float.floatToIntBits(value.floatValue()));
            case "D" -> "D:" + Long.toUnsignedString(Double.doubleToLongBits(value.doubleValue()));
            default -> letter + ":" + value.longValue();
        };
    }

    private static String escaped(String text) {
        StringBuilder all = new StringBuilder();
        for (char c : text.toCharArray()) {
            if (c < ' ' || c > '~' || c == '\\') {
                all.append(String.format("\\u%04x", (int) c));
            } else {
                all.append(c);
            }
        }
        return all.toString();
    }
}
