package jinsi.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs a test of several recorded threads: each has a thread here, and they take turns. */
final class ThreadedRun {
    /** As long as a thread is given to get a monitor before others go on without it, in milliseconds. */
    private static final long PATIENCE = 10;

    private final Driver driver;
    private final Engine engine;
    private final Turns turns;
    private final InteractionTable all;

    private final Map<Integer, Meetings> meetings;
    /** Whether this is the test of all interactions, as recorded. */
    private boolean isWhole;

    ThreadedRun(Driver driver, Engine engine, InteractionTable all, Map<Integer, Meetings> meetings) {
        this.meetings = meetings;
        this.driver = driver;
        this.engine = engine;
        this.turns = engine.progress().turns();
        this.all = all;
    }

    /** Executes the interactions at {@code indices}, which ascend. */
    Verdict run(int[] indices) {
        Map<Integer, List<Integer>> threads = new TreeMap<>();
        for (int index : indices) {
            threads.computeIfAbsent(all.thread(index), t -> new ArrayList<>()).add(index);
        }
        isWhole = driver.isStrict() && indices.length == all.size();
        if (isWhole) {
            meetings.values().forEach(Meetings::forget);
        }
        CountDownLatch ended = new CountDownLatch(threads.size());
        threads.forEach((number, own) -> turns.add(lane(number, own, ended), driver.interaction(own.get(0)).turn.first));
        turns.begin();
        try {
            watch(ended);
        } catch (InterruptedException e) {
            return Verdict.unresolved(Why.HARNESS, "interrupted", e);
        }
        return engine.progress().verdict() == null ? Verdict.PASSING : engine.progress().verdict();
    }

    private Lane lane(int number, List<Integer> own, CountDownLatch ended) {
        Lane[] self = new Lane[1];
        Runnable task = () -> {
            try {
                execute(self[0], own);
            } finally {
                turns.leave(self[0]);
                ended.countDown();
            }
        };
        Thread thread = new Thread(null, task, "recorded thread " + number, TestRun.STACK_BYTES);
        thread.setDaemon(true);
        self[0] = new Lane(thread, meetings.getOrDefault(number, Meetings.NONE), isWhole);
        return self[0];
    }

    /** What a thread does, from its first turn on. */
    private void execute(Lane lane, List<Integer> own) {
        try {
            engine.progress().goOn(lane);
            for (int index : own) {
                Interaction i = driver.interaction(index);
                if (index != own.get(0)) {
                    engine.progress().await(i.turn.first);
                }
                Verdict verdict = engine.progress().verdict() != null ? engine.progress().verdict() : driver.execute(index, i);
                if (verdict != null) {
                    engine.progress().conclude(verdict);
                    return;
                }
            }
        } catch (Stop e) {
            engine.progress().conclude(e.verdict);
        } catch (Throwable e) {
            engine.progress().conclude(Verdict.unresolved(Why.HARNESS, "replay failed: " + e, e));
        }
    }

    /**
     * Waits for all threads to end. One that waits for a monitor (of the JDK's, for observed code has none), or for a class to be
     * initialized, is passed over: another one has it that waits for its turn.
     */
    private void watch(CountDownLatch ended) throws InterruptedException {
        long seen = -1;
        while (!ended.await(PATIENCE, TimeUnit.MILLISECONDS)) {
            Thread running = turns.running();
            long changes = turns.changes();
            boolean stuck = running != null && changes == seen && running.getState() == Thread.State.BLOCKED;
            if (stuck && !turns.passOver()) {
                engine.progress().conclude(Verdict.unresolved(Why.HARNESS,
                        running.getName() + " waits for a monitor of a thread that waits for its turn", null));
                turns.abandon();
            }
            seen = changes;
        }
    }
}
