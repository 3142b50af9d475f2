package jinsi.replay;

import static jinsi.replay.SessionBuilder.values;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Objects made from what was recorded of them, and damaged sessions. */
final class ObjectsTest {
    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        Object[] texts = {new BigDecimal("1.50"), BigInteger.TEN, UUID.fromString("0-1-2-3-4"), Locale.CANADA_FRENCH,
            LocalDate.of(1883, 11, 18), Instant.EPOCH, ZoneId.of("Europe/Berlin"), TimeUnit.DAYS,
            StandardCharsets.UTF_8};
        for (Object expected : texts) {
            check.test("from text: " + expected.getClass().getName(), () -> {
                String text = expected instanceof Locale ? ((Locale) expected).toLanguageTag() : expected.toString();
                check.equal(expected, made(builder().text(1, internal(expected), text)));
            });
        }
        check.test("hash codes: the first one stays", () -> {
            ObjectPool pool = new ObjectPool();
            Object known = new Object();
            pool.bind(7, known);
            for (int run = 0; run < 2; run++) {
                // Each test has its own, and shows the same ones.
                HashCodes codes = new HashCodes(pool, null, null);
                check.equal(Long.hashCode(7), codes.of(known, null));
                check.equal(Long.hashCode(7), codes.of(known, 99));
                check.equal(String.class.getName().hashCode(), codes.of(String.class, null));
                Object unknown = new Object();
                check.equal(3, codes.of(unknown, null));
                Object recorded = new Object();
                check.equal(99, codes.of(recorded, 99));
                check.equal(99, codes.of(recorded, null));
            }
        });
        check.test("from text: changeable ones", () -> {
            check.equal("abc", made(builder().text(1, "java/lang/StringBuilder", "abc")).toString());
            Object seven = made(builder().text(1, "java/util/concurrent/atomic/AtomicLong", "7"));
            check.equal(7L, ((AtomicLong) seven).get());
        });
        List<Integer> list = List.of(3, 1, 2);
        Collection<?>[] collections = {new ArrayList<>(list), new LinkedList<>(list), list, Arrays.asList(3, 1, 2),
            Collections.unmodifiableList(new ArrayList<>(list)), new TreeSet<>(list), new HashSet<>(list),
            Set.of(3, 1, 2)};
        for (Collection<?> expected : collections) {
            check.test("from elements: " + expected.getClass().getName(), () -> {
                Collection<?> made = (Collection<?>) made(builder().natural(1, internal(expected),
                        content(Content.Kind.ELEMENTS, expected.toArray())));
                check.equal(true, expected.equals(made));
                check.equal(new ArrayList<>(expected), new ArrayList<>(made));
            });
        }
        Collection<?>[] exact = {list, List.of(), List.of(3), Set.of(3), Collections.emptyList(), Collections.emptySet(),
            Collections.singletonList(3), Collections.singleton(3)};
        for (Collection<?> expected : exact) {
            check.test("from elements, of the very class: " + expected.getClass().getName(), () -> {
                Object made = made(builder().natural(1, internal(expected),
                        content(Content.Kind.ELEMENTS, expected.toArray())));
                check.equal(expected.getClass(), made.getClass());
                check.equal(expected, made);
            });
        }
        check.test("what a container holds is recognized by place, class and content", () -> {
            Content held = new Content(Content.Kind.ELEMENTS,
                    List.of(Value.object(2), Value.object(3), Value.object(4)), null);
            Session session = builder().natural(1, "java/util/ArrayList", held)
                    .text(2, "java/lang/StringBuilder", "abc").text(3, "java/lang/StringBuilder", "other")
                    .object(4, "java/util/Random", ObjectInfo.Role.OBSERVED).build();
            ObjectPool pool = new ObjectPool();
            List<Object> there = List.of(new StringBuilder("abc"), new StringBuilder("def"), new java.util.Random());
            new Recognition(session, pool, null).members(held, there);
            check.equal(2L, pool.idOf(there.get(0)));
            check.equal(0L, pool.idOf(there.get(1)));
            check.equal(4L, pool.idOf(there.get(2)));
        });
        check.test("what an iterator leads to is recognized by its fields, if it has them here", () -> {
            List<Object> there = new ArrayList<>(List.of(new StringBuilder("abc"), new java.util.Random()));
            Content fields = Content.ofFields(List.of(new Content.FieldName("java/util/ArrayList$Itr", "this$0"),
                    new Content.FieldName("java/util/ArrayList$Itr", "elsewhere"),
                    new Content.FieldName("java/util/Another", "this$0")),
                    List.of(Value.object(2), Value.object(3), Value.object(4)));
            Session session = builder().natural(1, "java/util/ArrayList$Itr", fields)
                    .natural(2, "java/util/ArrayList",
                            new Content(Content.Kind.ELEMENTS, List.of(Value.object(3), Value.object(4)), null))
                    .text(3, "java/lang/StringBuilder", "abc").object(4, "java/util/Random", ObjectInfo.Role.OBSERVED)
                    .build();
            ObjectPool pool = new ObjectPool();
            new Recognition(session, pool, null).members(fields, there.iterator());
            check.equal(2L, pool.idOf(there));
            check.equal(3L, pool.idOf(there.get(0)));
            check.equal(4L, pool.idOf(there.get(1)));
        });
        Map<String, Integer> map = Map.of("k", 1);
        for (Map<?, ?> expected : List.of(new HashMap<>(map), new TreeMap<>(map), map)) {
            check.test("from entries: " + expected.getClass().getName(), () -> check.equal(expected,
                    made(builder().natural(1, internal(expected), content(Content.Kind.ENTRIES, "k", 1)))));
        }
        check.test("Optional", () -> check.equal(Optional.of(4),
                made(builder().natural(1, "java/util/Optional", content(Content.Kind.ELEMENTS, 4)))));
        check.test("array of arrays that holds itself", () -> {
            Object[] array = (Object[]) made(builder().array(1, "[Ljava/lang/Object;", 2,
                    new Content(Content.Kind.ARRAY, List.of(Value.object(1), Value.object(2)), null))
                    .array(2, "[[I", 1, new Content(Content.Kind.ARRAY, List.of(Value.object(3)), null))
                    .array(3, "[I", 2, content(Content.Kind.ARRAY, 5, 6)));
            check.equal(true, array[0] == array);
            check.equal(6, ((int[][]) array[1])[0][1]);
        });
        check.test("stand-in of a class whose constructor fails, of a final and of an abstract one", () -> {
            check.equal("sample.Gauge", made(builder().environment("sample/Gauge")
                    .object(1, "sample/Gauge", ObjectInfo.Role.MOCK)).getClass().getName());
            check.equal("java.lang.Runtime",
                    made(builder().object(1, "java/lang/Runtime", ObjectInfo.Role.MOCK)).getClass().getName());
        });
        check.test("exception of the program's own", () -> {
            Throwable made = (Throwable) made(builder().throwable(1, "java/util/MissingResourceException", "m", 1));
            check.equal("m", made.getMessage());
            check.equal(null, made.getCause());
            made.addSuppressed(new Error());
            check.equal(1, made.getSuppressed().length);
        });
        check.test("object without constructor; a circle of them", () -> {
            Content fields = fields("java/lang/StackTraceElement", "methodName", "run", "lineNumber", 7);
            StackTraceElement made = (StackTraceElement) made(builder().restored(1, "java/lang/StackTraceElement", fields));
            check.equal("run", made.getMethodName());
            check.equal(7, made.getLineNumber());
            check.equal(null, made.getFileName());
            // A package that is not open; numbers of every size.
            Map<?, ?> closed = (Map<?, ?>) made(builder().restored(1, "java/util/LinkedHashMap",
                    Content.ofFields(List.of(new Content.FieldName("java/util/HashMap", "loadFactor"),
                            new Content.FieldName("java/util/LinkedHashMap", "accessOrder")), values(0.5f, true))));
            check.equal(true, closed.isEmpty());
            Throwable circle = (Throwable) made(builder()
                    .restored(1, "java/lang/Error", fields("java/lang/Throwable", "cause", Value.object(2)))
                    .restored(2, "java/lang/Error", fields("java/lang/Throwable", "cause", Value.object(1))));
            check.equal(true, circle.getCause().getCause() == circle);
        });
        check.test("damaged sessions are refused", () -> damaged(check));
        return check.tests();
    }

    private static void damaged(Check check) throws IOException {
        byte[] good = PanelTest.panel().throwable(9, "java/lang/Error", null, 0)
                .natural(10, "java/util/ArrayList", content(Content.Kind.ELEMENTS, 4, 5L, 'c', "text", null)).bytes();
        for (int length = 0; length < good.length; length++) {
            try {
                SessionReader.read(Arrays.copyOf(good, length));
                check.equal("refused", "accepted a prefix of " + length);
            } catch (SessionFormatException e) {
                continue;
            }
        }
        for (int at = 0; at < good.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] bad = good.clone();
                bad[at] ^= (byte) (1 << bit);
                try {
                    SessionReader.read(bad);
                } catch (SessionFormatException e) {
                    continue;
                }
            }
        }
    }

    private static SessionBuilder builder() {
        return new SessionBuilder();
    }

    private static String internal(Object object) {
        Class<?> type = object instanceof Enum ? ((Enum<?>) object).getDeclaringClass() : object.getClass();
        return type.getName().replace('.', '/');
    }

    /** Names and values in turn. */
    private static Content fields(String className, Object... all) {
        List<Content.FieldName> names = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < all.length; i += 2) {
            names.add(new Content.FieldName(className, (String) all[i]));
            values.add(all[i + 1]);
        }
        return Content.ofFields(names, values(values.toArray()));
    }

    private static Content content(Content.Kind kind, Object... elements) {
        return new Content(kind, values(elements), null);
    }

    /** Object 1 of a session. */
    private static Object made(SessionBuilder b) throws Exception {
        Session session = b.build();
        return new Engine(session, new ReplayLoader(session), Mode.STRICT, 1, new Standstill()).object(1);
    }
}
