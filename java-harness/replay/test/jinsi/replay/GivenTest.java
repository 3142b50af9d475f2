package jinsi.replay;

import java.io.IOException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What the environment finds in what it was given. */
final class GivenTest {
    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        List<Object> more = all();
        more.add(0, new StringBuilder("outside"));
        List<Object> ways = List.of(all().toArray(), new Object[][] {{}, all().toArray()}, all(), List.of(all(), all()),
                more.subList(1, 6), all().iterator(), Collections.unmodifiableList(all()).iterator(), all().stream(),
                all().stream().filter(each -> true).map(each -> each), all().spliterator(), named(new LinkedHashMap<>()),
                named(new TreeMap<>()).values().iterator(), named(new LinkedHashMap<>()).entrySet(),
                Collections.unmodifiableMap(named(new LinkedHashMap<>())).entrySet().iterator(),
                named(new LinkedHashMap<>()).values().spliterator(), Optional.of(all()), new AtomicReference<>(all()));
        for (Object way : ways) {
            check.test("in order: " + way.getClass().getName(), () -> {
                ObjectPool pool = new ObjectPool();
                Given given = given(pool);
                given.add(way);
                for (int i = 0; i < 3; i++) {
                    StringBuilder found = (StringBuilder) given.find(StringBuilder.class);
                    check.equal("built " + i, found.toString());
                    pool.bind(i + 1, found);
                }
            });
        }
        check.test("only what is left, of a set or in any order", () -> {
            ObjectPool pool = new ObjectPool();
            Given given = given(pool);
            StringBuilder one = new StringBuilder();
            StringBuilder other = new StringBuilder();
            given.add(new HashMap<>(Map.of(one, other)).entrySet().iterator());
            pool.bind(1, given.find(StringBuilder.class));
            pool.bind(2, given.find(StringBuilder.class));
            check.equal(3L, pool.idOf(one) + pool.idOf(other));
            check.equal(null, given.find(StringBuilder.class));
        });
        check.test("what was given last comes first", () -> {
            ObjectPool pool = new ObjectPool();
            Given given = given(pool);
            for (String text : List.of("a", "b", "c")) {
                given.add(new Object[] {text, new StringBuilder(text)});
            }
            for (String text : List.of("c", "b", "a")) {
                Object found = given.find(StringBuilder.class);
                check.equal(text, found.toString());
                pool.bind(text.charAt(0), found);
            }
        });
        check.test("where it turns out to be another one, the replay diverges", () -> {
            Session session = new SessionBuilder().object(1, "java/lang/StringBuilder", ObjectInfo.Role.OBSERVED)
                    .object(2, "java/lang/StringBuilder", ObjectInfo.Role.OBSERVED).build();
            ObjectPool pool = new ObjectPool();
            Given given = given(pool);
            Binder binder = new Binder(session, pool, new Recognition(session, pool, null), given, new Notes());
            given.add(all());
            Object found = given.find(StringBuilder.class);
            pool.bind(1, found);
            check.equal(true, binder.value(Value.object(1), found));
            Verdict end = null;
            try {
                binder.value(Value.object(2), found);
            } catch (Stop e) {
                end = e.verdict;
            }
            check.equal(true, end != null);
        });
        check.test("no code of the program's runs, and none of its objects is looked into", () -> {
            Given given = given(new ObjectPool());
            List<Object> own = new Own();
            given.add(own);
            given.add(Collections.unmodifiableList(own));
            given.add(Collections.unmodifiableList(own).listIterator(0).getClass());
            given.add(new Object[] {Collections.synchronizedList(own)});
            check.equal(null, given.find(StringBuilder.class));
        });
        check.test("a circle, and a view of what has changed", () -> {
            Given given = given(new ObjectPool());
            List<Object> all = all();
            List<Object> view = all.subList(0, 2);
            all.add(all);
            given.add(all);
            check.equal(null, given.find(StringBuffer.class));
            given.add(view);
            check.equal("built 0", given.find(StringBuilder.class).toString());
        });
        return check.tests();
    }

    private static Given given(ObjectPool pool) throws IOException {
        return new Given(new ReplayLoader(new SessionBuilder().build()), pool);
    }

    /** What iterates by code of its own. */
    private static final class Own extends AbstractList<Object> {
        private final StringBuilder held = new StringBuilder();

        @Override
        public Object get(int index) {
            throw new IllegalStateException("the program's code was run");
        }

        @Override
        public int size() {
            return held.length() + 1;
        }

        @Override
        public Iterator<Object> iterator() {
            throw new IllegalStateException("the program's code was run");
        }
    }

    private static List<Object> all() {
        List<Object> all = new ArrayList<>(Arrays.asList("text", null, 7));
        IntStream.range(0, 3).forEach(i -> all.add(2 * i, new StringBuilder("built " + i)));
        return all;
    }

    private static Map<String, Object> named(Map<String, Object> map) {
        IntStream.range(0, 3).forEach(i -> map.put("name " + i, new StringBuilder("built " + i)));
        return map;
    }
}
