package caffeine26;

import static org.hamcrest.CoreMatchers.is;
import static org.hamcrest.CoreMatchers.nullValue;
import static org.hamcrest.MatcherAssert.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/** Waits until an entry has expired, and puts another one in its place. */
public class Caffeine26 {
    private Caffeine26() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws InterruptedException {
        Cache<Integer, String> cache1 = Caffeine.newBuilder()
                .expireAfterWrite(1, TimeUnit.SECONDS)
                .build();
        ConcurrentMap<Integer, String> cache2 = cache1.asMap();
        cache2.put(1, "A");
        Thread.sleep(2000);
        assertThat(cache2.get(1), is(nullValue()));
        assertThat(cache2.putIfAbsent(1, "B"), is(nullValue()));
    }
}
