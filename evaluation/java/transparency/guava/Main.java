package demo.guava;

import com.google.common.base.CharMatcher;
import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.HashBasedTable;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import com.google.common.collect.MinMaxPriorityQueue;
import com.google.common.collect.Multimap;
import com.google.common.collect.Ordering;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.Sets;
import com.google.common.collect.Table;
import com.google.common.collect.TreeMultiset;
import com.google.common.collect.TreeRangeSet;
import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import com.google.common.graph.GraphBuilder;
import com.google.common.graph.Graphs;
import com.google.common.graph.MutableGraph;
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import com.google.common.math.BigIntegerMath;
import com.google.common.math.LongMath;
import com.google.common.primitives.Ints;
import com.google.common.reflect.TypeToken;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.common.util.concurrent.MoreExecutors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

/** Uses most packages of Guava, on several threads where Guava does; everything printed is the same in every run. */
public final class Main {
    private final List<String> heard = new ArrayList<>();

    private Main() {
    }

    /** Takes no arguments; ends by an exception of Guava's. */
    public static void main(String[] args) throws Exception {
        text();
        collections();
        graph();
        caches();
        futures();
        new Main().events();
        numbers();
        ImmutableMap.of("a", 1, "a", 2);
    }

    private static void text() {
        System.out.println(Splitter.on(',').trimResults().omitEmptyStrings().splitToList(" a, b ,, c"));
        System.out.println(Joiner.on('|').withKeyValueSeparator('=').join(ImmutableMap.of("x", 1, "y", 2)));
        System.out.println(CharMatcher.inRange('0', '9').retainFrom("a1b22c"));
    }

    private static void collections() {
        Multimap<Integer, String> lengths = ArrayListMultimap.create();
        for (String word : "the quick brown fox jumps over the lazy dog".split(" ")) {
            lengths.put(word.length(), word);
        }
        System.out.println(lengths);
        TreeMultiset<String> letters = TreeMultiset.create(Lists.transform(Lists.charactersOf("mississippi"), String::valueOf));
        System.out.println(letters + " " + letters.headMultiset("p", com.google.common.collect.BoundType.CLOSED));
        Table<String, Integer, Double> table = HashBasedTable.create();
        table.put("r", 1, 1.5);
        table.put("r", 2, 2.5);
        System.out.println(table.row("r") + " " + HashBiMap.create(ImmutableMap.of("k", "v")).inverse());
        RangeSet<Integer> ranges = TreeRangeSet.create();
        ranges.add(Range.closed(1, 10));
        ranges.remove(Range.open(3, 7));
        System.out.println(ranges + " " + ranges.complement());
        System.out.println(Sets.powerSet(ImmutableSortedSet.of(3, 1, 2)).size() + " "
            + Lists.cartesianProduct(List.of(1, 2), List.of(3, 4)) + " " + Lists.partition(Ints.asList(1, 2, 3, 4, 5), 2));
        MinMaxPriorityQueue<Integer> queue = MinMaxPriorityQueue.maximumSize(3).create(Ints.asList(5, 1, 4, 2));
        System.out.println(queue.peekFirst() + " " + queue.peekLast());
        System.out.println(Ordering.natural().reverse().nullsLast().sortedCopy(Lists.newArrayList(2, null, 3))
            + Iterables.toString(Iterables.limit(Iterables.cycle("a", "b"), 5)));
    }

    private static void graph() {
        MutableGraph<Integer> graph = GraphBuilder.directed().build();
        for (int n = 1; n < 20; n++) {
            graph.putEdge(n, n / 2);
        }
        System.out.println(Graphs.reachableNodes(graph, 19) + " " + Graphs.hasCycle(graph));
    }

    private static void caches() {
        LoadingCache<Integer, String> cache = CacheBuilder.newBuilder().maximumSize(4).concurrencyLevel(1).recordStats()
            .build(CacheLoader.from(key -> "v" + key));
        for (int n = 0; n < 12; n++) {
            cache.getUnchecked(n % 5);
        }
        System.out.println(cache.stats().requestCount() + " " + cache.size());
    }

    private static void futures() throws Exception {
        ListeningExecutorService pool = MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(4));
        List<ListenableFuture<Integer>> parts = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            int factor = n;
            parts.add(Futures.transform(pool.submit(() -> factor * factor), value -> value + 1, pool));
        }
        System.out.println(Futures.allAsList(parts).get().stream().mapToInt(Integer::intValue).sum());
        pool.shutdown();
    }

    private void events() {
        EventBus bus = new EventBus("bus");
        bus.register(this);
        bus.post("hello");
        bus.post(42);
        System.out.println(heard);
    }

    /** Called by the event bus. */
    @Subscribe
    public void hear(String event) {
        heard.add(event);
    }

    /** Called by the event bus. */
    @Subscribe
    public void hear(Integer event) {
        heard.add("number " + event);
    }

    private static void numbers() {
        System.out.println(Hashing.sha256().hashString("jinsi", StandardCharsets.UTF_8) + " "
            + Hashing.murmur3_32_fixed().hashInt(7) + " " + BaseEncoding.base32().encode(new byte[] {1, 2, 3}));
        BloomFilter<Integer> filter = BloomFilter.create(Funnels.integerFunnel(), 100);
        filter.put(1);
        System.out.println(filter.mightContain(1) + " " + BigIntegerMath.factorial(25) + " " + LongMath.binomial(40, 20));
        System.out.println(new TypeToken<Map<String, List<Integer>>>() { }.resolveType(Map.class.getTypeParameters()[1]));
    }
}
