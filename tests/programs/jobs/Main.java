package jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Imports rows on three threads. One row has no number: that fails in a pool's thread, and main passes it on, wrapped. Of the parser's twenty uses
 * one is needed, of the importer's too.
 */
public class Main {
    public static void main(String[] args) throws Exception {
        Importer importer = new Importer(new Registry());
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Integer>> loaded = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String row = "row-" + i + ";" + (i == 17 ? "x" : i);
            loaded.add(pool.submit(() -> importer.load(row)));
        }
        int sum = 0;
        try {
            for (Future<Integer> one : loaded) {
                sum += one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("import failed", e.getCause());
        } finally {
            pool.shutdown();
        }
        System.out.println(sum);
    }
}
