package edges.app;

import edges.lib.Names;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.Properties;

/** Objects that cross the edge of the observed classes in unusual ways; all that comes of it is printed, and so goes out again. */
public final class Main {
    private static final ThreadLocal<Deque<StringBuilder>> SPARE = ThreadLocal.withInitial(ArrayDeque::new);

    private Main() {
    }

    public static void main(String[] args) throws IOException, ClassNotFoundException {
        builders();
        ownBuffers(3);
        sharedBuffer();
        strings();
        tables();
        serialized();
        comparators();
        hashes();
        traces();
        System.out.println(Names.joined(new Word("left"), new Word("right")));
        throw new Odd("the end");
    }

    /** What observed code put into a container of its own comes back in it by way of the environment. */
    private static void builders() {
        StringBuilder first = borrowed();
        first.append("used");
        SPARE.get().push(first);
        StringBuilder again = borrowed();
        System.out.println((first == again) + " " + again.append(" twice"));
    }

    private static StringBuilder borrowed() {
        Deque<StringBuilder> spare = SPARE.get();
        return spare.isEmpty() ? new StringBuilder() : spare.pop();
    }

    /** Nobody else gets these. */
    private static void ownBuffers(int rounds) {
        System.out.println(new StringBuffer(8).append('o').append("wn").toString());
        StringBuffer numbers = new StringBuffer();
        for (int n = 0; n < rounds; n++) {
            numbers.append(n).append(',');
        }
        numbers.setLength(numbers.length() - 1);
        System.out.println(numbers.reverse().toString());
    }

    /** The environment adds to this one. */
    private static void sharedBuffer() {
        StringBuffer shared = new StringBuffer("shared");
        Names.addTo(shared);
        shared.append('.');
        System.out.println(shared.toString());
    }

    /** The same string comes in twice, one that is equal does not, and one that went out comes back. */
    private static void strings() {
        String own = new StringBuilder("own").append(1).toString();
        System.out.println((Names.first() == Names.first()) + " " + (Names.same(own) == own));
    }

    /** What a table reads comes from the environment. */
    private static void tables() throws IOException {
        Properties prices = new Properties();
        prices.load(Names.stream("silver=3"));
        prices.load(Names.stream("gold=5"));
        System.out.println(prices.getProperty("silver") + prices.getProperty("gold") + prices.size());
    }

    /** Of a leaf that is read, the constructor of the class below runs, and no other. */
    private static void serialized() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new Leaf(7));
        }
        try (LeafReader in = new LeafReader(new ByteArrayInputStream(bytes.toByteArray()))) {
            System.out.println(in.readObject());
        }
        System.out.println(Names.copy(new Leaf(8)));
    }

    /** A lambda that the JDK makes for observed code is nobody else's. */
    private static void comparators() {
        Comparator<String> byLength = Comparator.comparingInt(String::length);
        Runnable task = Names.task();
        task.run();
        System.out.println(byLength.compare("four", "three") + " " + byLength.reversed().compare("four", "three"));
    }

    /** An iterator has no hash code of its own. */
    private static void hashes() {
        Iterator<String> iterator = new ArrayList<String>().iterator();
        System.out.println(iterator.hashCode() + " " + (iterator.hashCode() == iterator.hashCode()));
    }

    /** The text has the frames of whoever called this program. */
    private static void traces() {
        StringWriter text = new StringWriter();
        new IllegalStateException("seen").printStackTrace(new PrintWriter(text, true));
        System.out.println(text);
    }
}
