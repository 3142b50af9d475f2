package jinsi.replay;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** How the threads of a test take turns. */
final class TurnsTest {
    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        check.test("a thread that waits for a monitor comes back before what others do then", () -> passedOver(check));
        check.test("a thread that has got its monitor is not passed over", () -> {
            Turns turns = new Turns();
            BlockingQueue<String> goOn = new LinkedBlockingQueue<>();
            Lane first = lane(goOn::take);
            turns.add(first, 1);
            turns.add(lane(goOn::take), 2);
            turns.begin();
            check.equal(true, turns.passOver(first.thread));
            check.equal(first.thread, turns.running());
            goOn.add("on");
            first.thread.join();
            turns.leave(first);
            // It goes on no more, so there is nothing to be done about it.
            check.equal(true, turns.passOver(first.thread));
        });
        return check.tests();
    }

    private static void passedOver(Check check) throws InterruptedException {
        Turns turns = new Turns();
        BlockingQueue<String> done = new LinkedBlockingQueue<>();
        BlockingQueue<String> goOn = new LinkedBlockingQueue<>();
        Object monitor = new Object();
        Lane[] lanes = new Lane[2];
        lanes[0] = lane(() -> {
            synchronized (monitor) {
                done.add("has the monitor");
            }
            done.add(turns.returned() == lanes[0] ? "first" : "was not passed over");
            turns.leave(lanes[0]);
        });
        lanes[1] = lane(() -> {
            done.add("second");
            goOn.take();
            turns.await(lanes[1], 3);
            done.add("second again");
            turns.leave(lanes[1]);
        });
        turns.add(lanes[0], 1);
        turns.add(lanes[1], 2);
        synchronized (monitor) {
            turns.begin();
            while (lanes[0].thread.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            check.equal(true, turns.passOver(lanes[0].thread));
            check.equal("second", done.take());
        }
        check.equal("has the monitor", done.take());
        while (lanes[0].thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        goOn.add("on");
        check.equal("first", done.take());
        check.equal("second again", done.take());
        for (Lane lane : lanes) {
            lane.thread.join();
        }
        check.equal(null, turns.running());
    }

    private interface Task {
        void run() throws InterruptedException;
    }

    private static Lane lane(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        thread.setDaemon(true);
        return new Lane(thread, Meetings.NONE, false, () -> { });
    }
}
