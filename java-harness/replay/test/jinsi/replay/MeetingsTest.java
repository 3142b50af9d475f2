package jinsi.replay;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Where threads wait for each other in the midst of observed code. */
final class MeetingsTest {
    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        check.test("a thread waits at some of its meetings", () -> {
            Meetings meetings = new Meetings(new int[] {2, 5}, new long[] {70, 90});
            check.equal(-1L, meetings.turn(1));
            check.equal(70L, meetings.turn(2));
            check.equal(90L, meetings.turn(5));
            check.equal(-1L, Meetings.NONE.turn(1));
        });
        check.test("what was noted at a point counts there in other tests", () -> {
            Meetings meetings = new Meetings(new int[] {2}, new long[] {70});
            for (int point = 0; point < 40; point++) {
                meetings.note(10 * point, point);
            }
            // A point is passed once.
            meetings.note(390, 77);
            check.equal(39, meetings.before(390, 5));
            check.equal(5, meetings.before(391, 5));
            meetings.forget();
            check.equal(5, meetings.before(390, 5));
        });
        return check.tests();
    }
}
