package jinsi.replay;

import java.util.List;
import java.util.Objects;

/** Says what exceptions that leave observed code mean for a test. */
final class Judge {
    private final Session session;
    private final ObjectPool pool;

    Judge(Session session, ObjectPool pool) {
        this.session = session;
        this.pool = pool;
    }

    /**
     * Whether {@code exception} is the one with which {@code i} ended in the recording: same class, same stored
     * message. It gets the recorded identity.
     */
    boolean isRecordedOutcome(Interaction i, Throwable exception) {
        if (i.outcome.kind != Outcome.Kind.THREW) {
            return false;
        }
        ObjectInfo info = session.objects.get(i.outcome.thrown);
        if (info == null || !exception.getClass().getName().replace('.', '/').equals(info.className)) {
            return false;
        }
        // Run for real, a message may name what is another one each time.
        boolean compared = !session.isDirect() && info.thrown != null;
        if (compared && !Objects.equals(Throwables.wording(exception), Throwables.wording(exception, info.thrown.message))) {
            return false;
        }
        pool.bind(i.outcome.thrown, exception);
        return true;
    }

    /** What an exception that escaped from {@code i} means for the test. */
    Verdict of(Interaction i, Throwable exception) {
        if (session.predicate.matches(exception)) {
            return Verdict.failing(exception);
        }
        ObjectInfo recorded = session.objects.get(i.outcome.thrown);
        String expected = recorded == null ? "no exception"
                : recorded + (recorded.thrown == null ? "" : " \"" + recorded.thrown.message + "\"");
        String detail = Throwables.describe(exception) + " escaped from " + i + "; recorded: " + expected
                + "; the failure is " + session.predicate;
        boolean ours = exception instanceof LinkageError && !(exception instanceof ExceptionInInitializerError);
        Why why = hasNoReceiver(i, exception) ? Why.NULL_RECEIVER : Why.OTHER_EXCEPTION;
        return Verdict.unresolved(ours ? Why.HARNESS : why, detail, exception);
    }

    /** Whether {@code exception} says that something was asked of {@code null}, which was asked of an object in the recording. */
    private boolean hasNoReceiver(Interaction i, Throwable exception) {
        StackTraceElement[] frames = exception.getStackTrace();
        if (exception.getClass() != NullPointerException.class || frames.length == 0
                || !frames[0].getMethodName().startsWith(Throwables.BRIDGE_PREFIX)) {
            return false;
        }
        Bridge place = session.bridges.get(Integer.valueOf(frames[0].getMethodName().substring(Throwables.BRIDGE_PREFIX.length())));
        return place != null && place.op.hasReceiver() && isAsked(i.outgoing, place);
    }

    private static boolean isAsked(List<Outgoing> all, Bridge place) {
        for (Outgoing o : all) {
            boolean same = o.op == place.op && o.member.name.equals(place.member.name)
                    && o.member.desc.equals(place.member.desc) && o.receiver.kind != Value.Kind.NULL;
            if (same || o.callbacks.stream().anyMatch(c -> isAsked(c.outgoing, place))) {
                return true;
            }
        }
        return false;
    }
}
