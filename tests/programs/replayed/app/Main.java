package replayed.app;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;
import replayed.out.Outside;

/**
 * What replay has to get right at every level: constants with bodies, values that lambdas captured, identity hash codes, reflection,
 * pipelines with the lambdas of another class, streams in memory, objects that were read.
 */
public final class Main {
    private Main() {
    }

    /** Ends by an exception that says what all of it came to. */
    public static void main(String[] args) throws Exception {
        Counter counter = new Counter();
        int sides = Shape.ROUND.sides() + Shape.valueOf("SQUARE").sides();
        int calls = Outside.twice(() -> counter.next(sides)) + Outside.twice(counter::current);
        StringBuilder text = new StringBuilder().append(sides).append(' ').append(calls);
        text.append(' ').append(hashes(counter)).append(' ').append(reflection(counter));
        Shelf shelf = new Shelf(List.of("one", "three", "five", "eleven"));
        text.append(' ').append(shelf.longNames(4).size()).append(shelf.count(name -> name.length() < sides));
        text.append(' ').append(lines()).append(' ').append(copies());
        throw new IllegalStateException(text.toString());
    }

    private static boolean hashes(Counter counter) {
        int hash = System.identityHashCode(counter) ^ counter.getClass().hashCode() ^ Shape.ROUND.hashCode();
        String name = counter.toString();
        return hash == (counter.hashCode() ^ Counter.class.hashCode() ^ Shape.ROUND.hashCode()) && name.indexOf('@') > 0;
    }

    private static Object reflection(Counter counter) throws ReflectiveOperationException {
        Object next = Counter.class.getDeclaredMethod("next", int.class).invoke(counter, 3);
        return next + Counter.class.getDeclaredField("count").getName() + Counter.class.getModifiers();
    }

    private static String lines() throws IOException {
        StringWriter out = new StringWriter();
        Printer printer = new Printer(out);
        Lines lines = new Lines(new StringReader("a\nbc\n"));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            printer.print(line, lines);
        }
        return out.toString();
    }

    private static String copies() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(Only.INSTANCE);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Object only = in.readObject();
            return String.valueOf(only == Only.INSTANCE);
        }
    }
}
