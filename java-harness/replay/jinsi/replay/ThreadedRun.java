package jinsi.replay;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs a test of several recorded threads: each has a thread here, and they take turns. */
final class ThreadedRun {
    /** As long as a thread is given to get a monitor of another one before the others go on without it, in milliseconds. */
    private static final long PATIENCE = 10;
    /** So many times as long, if it is not known who has the monitor. */
    private static final int FURTHER = 100;

    private final Driver driver;
    private final Engine engine;
    private final Turns turns;
    private final InteractionTable all;

    private final Map<Integer, Meetings> meetings;
    /** Those of its threads. */
    private final Set<Long> ids = new HashSet<>();
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
        Runnable leave = () -> {
            turns.leave(self[0]);
            ended.countDown();
        };
        Runnable task = () -> {
            try {
                execute(self[0], own);
            } finally {
                leave.run();
            }
        };
        Thread thread = new Thread(null, task, "recorded thread " + number, TestRun.STACK_BYTES);
        thread.setDaemon(true);
        ids.add(thread.getId());
        self[0] = new Lane(thread, meetings.getOrDefault(number, Meetings.NONE), isWhole, leave);
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
                if (lane.isOver()) {
                    return;
                }
                if (verdict != null) {
                    engine.progress().conclude(verdict);
                    return;
                }
            }
        } catch (Stop e) {
            if (!lane.isOver()) {
                engine.progress().conclude(e.verdict);
            }
        } catch (Throwable e) {
            engine.progress().conclude(Verdict.unresolved(Why.HARNESS, "internal error, please report it: " + e, e));
        }
    }

    /**
     * Waits for all threads to end. One that waits for a monitor (of the JDK's, for observed code has none) is passed over: another one has it that
     * waits for its turn.
     */
    private void watch(CountDownLatch ended) throws InterruptedException {
        long seen = -1;
        int looks = 0;
        while (!ended.await(PATIENCE, TimeUnit.MILLISECONDS)) {
            Thread running = turns.running();
            long changes = turns.changes();
            boolean stuck = running != null && changes == seen && running.getState() == Thread.State.BLOCKED;
            looks = stuck ? looks + 1 : 0;
            if (stuck && (looks > FURTHER || ids.contains(owner(running))) && !turns.passOver(running)) {
                engine.progress().conclude(Verdict.unresolved(Why.HARNESS,
                        running.getName() + " waits for a monitor of a thread that waits for its turn", null));
                turns.abandon();
            }
            seen = changes;
        }
    }

    /** Which thread has the monitor that {@code blocked} waits for; -1 if that is not known. */
    private static long owner(Thread blocked) {
        try {
            ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(blocked.getId());
            return info == null ? -1 : info.getLockOwnerId();
        } catch (LinkageError e) {
            // A runtime without the module java.management.
            return -1;
        }
    }
}
