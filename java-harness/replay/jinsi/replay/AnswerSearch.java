package jinsi.replay;

import java.util.ArrayList;
import java.util.List;

/** Finds the recorded answer to a request: in sequence, or, when re-synchronizing, an alternative further on. */
final class AnswerSearch {
    /** An answer, and whether it was the next one in sequence. */
    static final class Found {
        /** The answer. */
        final Outgoing outgoing;
        /** Whether it is what the recording has next, at the same place. */
        final boolean inSequence;
        /** What the recording had done before to what was asked, and the code of today has not; {@code null} if nothing. */
        final Outgoing passedOver;

        Found(Outgoing outgoing, boolean inSequence) {
            this(outgoing, inSequence, null);
        }

        Found(Outgoing outgoing, boolean inSequence, Outgoing passedOver) {
            this.outgoing = outgoing;
            this.inSequence = inSequence;
            this.passedOver = passedOver;
        }
    }

    private final Session session;
    private final ReplayLoader loader;
    private final ObjectPool pool;

    AnswerSearch(Session session, ReplayLoader loader, ObjectPool pool) {
        this.session = session;
        this.loader = loader;
        this.pool = pool;
    }

    /**
     * The next answer in sequence.
     *
     * @param places whether the place of asking must be the recorded one
     * @throws Stop if the recording has something else next
     */
    Found next(Context context, Request request, boolean places) {
        Outgoing next = context.peek();
        if (next != null && isFor(next, request) && (!places || request.isAt(next))) {
            return new Found(context.take(context.next()), true);
        }
        throw Stop.unresolved(Why.DIVERGENCE, "divergence in " + context.name + ": expected "
                + (next == null ? "nothing more" : next) + ", got " + describe(request));
    }

    /**
     * The next answer in sequence, or the first further on in the context with the same operation, member and receiver;
     * one that was recorded at the place of asking is preferred (Burger 2011, Algorithm 1, and the receiver's identity counts, too).
     *
     * @throws Stop if there is none
     */
    Found alternative(Context context, Request request) {
        int first = -1;
        int exact = -1;
        for (int i = context.next(); i < context.outgoing.size() && exact < 0; i++) {
            Outgoing candidate = context.outgoing.get(i);
            if (isFor(candidate, request) && !isOfOtherArguments(candidate, request)) {
                first = first < 0 ? i : first;
                exact = request.isAt(candidate) ? i : exact;
            }
        }
        int chosen = exact >= 0 ? exact : first;
        if (chosen < 0) {
            throw none(context, request);
        }
        boolean inSequence = chosen == context.next() && exact >= 0;
        return new Found(context.take(chosen), inSequence);
    }

    /** Whether there is an answer to {@code request}, where {@code mode} looks for it. */
    boolean has(Context context, Request request, Mode mode) {
        for (int i = context.begin(mode), end = context.end(mode); i < end; i++) {
            if (!context.isUsed(i) && isFor(context.outgoing.get(i), request)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The answer for code that may not be the recorded one, whose places and order say nothing: the first unused one with the same operation,
     * member, receiver and arguments, unless what was asked since has changed it; if there is none, the nearest further on with other arguments, which
     * is for the caller to judge.
     *
     * @throws Stop if there is none
     */
    Found ofToday(Context context, Request request) {
        int nearest = -1;
        int same = -1;
        for (int i = context.begin(Mode.TODAY); i < context.outgoing.size() && same < 0; i++) {
            Outgoing candidate = context.outgoing.get(i);
            if (!context.isUsed(i) && isFor(candidate, request)) {
                nearest = nearest < 0 && i >= context.next() && !isOfOtherArguments(candidate, request) ? i : nearest;
                same = hasArguments(candidate, request) && !isOutdated(context, i, request) ? i : same;
            }
        }
        int chosen = same >= 0 ? same : nearest;
        if (chosen < 0) {
            throw none(context, request);
        }
        Outgoing answer = context.outgoing.get(chosen);
        Outgoing passedOver = null;
        for (int i = context.begin(Mode.TODAY); i < chosen && passedOver == null; i++) {
            Outgoing earlier = context.outgoing.get(i);
            passedOver = !context.isUsed(i) && changes(earlier, answer) ? earlier : null;
        }
        boolean inSequence = chosen == context.next();
        return new Found(context.take(chosen), inSequence, passedOver);
    }

    /** Whether what was asked behind the answer at {@code index} was the same, or has reported something to what is asked. */
    private boolean isOutdated(Context context, int index, Request request) {
        for (int i = index + 1; i < context.next(); i++) {
            Outgoing later = context.outgoing.get(i);
            if (context.isUsed(i) && (changes(later, context.outgoing.get(index))
                    || isFor(later, request) && hasArguments(later, request))) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code o} failed, maybe by what it was given, and {@code request} gives something else: then its failure is no answer. */
    private boolean isOfOtherArguments(Outgoing o, Request request) {
        return o.outcome.kind == Outcome.Kind.THREW && isSameOperation(o, request) && !hasArguments(o, request);
    }

    private boolean hasArguments(Outgoing o, Request request) {
        int captured = Math.max(0, o.args.size() - request.args.length);
        for (int i = 0; i < request.args.length && captured + i < o.args.size(); i++) {
            if (!isLike(o.args.get(captured + i), request.args[i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether the two may be the same, as {@link Binder#value} sees it. */
    private boolean isLike(Value recorded, Object actual) {
        if (recorded.kind == Value.Kind.CLASS) {
            return actual instanceof Class && ((Class<?>) actual).getName().replace('.', '/').equals(recorded.payload);
        }
        if (maybe(recorded, actual)) {
            return true;
        }
        Object known = recorded.kind == Value.Kind.OBJECT ? pool.get(recorded.id) : null;
        return known != null && session.objects.get(recorded.id).role == ObjectInfo.Role.TEXT && known.equals(actual);
    }

    /** Whether {@code teller} has reported something to what {@code asker} asks: its answer may presuppose that. */
    private static boolean changes(Outgoing teller, Outgoing asker) {
        boolean tells = teller.op == Op.PUT_FIELD || teller.op == Op.PUT_STATIC
                || teller.op != Op.CONSTRUCT && teller.outcome.kind == Outcome.Kind.RETURNED && teller.outcome.value == null;
        return tells && (asker.receiver.kind == Value.Kind.OBJECT ? teller.receiver.id == asker.receiver.id
                : !teller.op.hasReceiver() && teller.targetClass.equals(asker.targetClass));
    }

    private Stop none(Context context, Request request) {
        boolean recorded = false;
        for (int i = 0; i < context.outgoing.size(); i++) {
            Outgoing candidate = context.outgoing.get(i);
            if (!isSameOperation(candidate, request)) {
                continue;
            }
            recorded = true;
            if (i >= context.next() && request.op.hasReceiver() && isSameType(candidate, request)) {
                return Stop.unresolved(Why.OTHER_RECEIVER, "the recorded answer is for another receiver: "
                        + candidate + ", got " + describe(request));
            }
        }
        String asked = owner(request) + "." + request.member.name;
        return recorded
                ? Stop.unresolved(Why.NO_ALTERNATIVE, asked + ": no unused answer is left in " + context.name + " for "
                        + describe(request))
                : Stop.unresolved(Why.NEVER_RECORDED, asked + ": never recorded in " + context.name + ": "
                        + describe(request));
    }

    /** The receiver's own class if it is one of the session's, else the class that the asking place names. */
    private String owner(Request request) {
        if (request.receiver != null && loader.isOfSession(request.receiver.getClass())) {
            return request.receiver.getClass().getName().replace('.', '/');
        }
        return request.member.owner;
    }

    /**
     * Whether {@code o} answers {@code request}: operation, member and receiver are the same. The place is not
     * compared.
     */
    boolean isFor(Outgoing o, Request request) {
        if (!isSameOperation(o, request)) {
            return isBodyOf(o, request);
        }
        if (!request.op.hasReceiver()) {
            return true;
        }
        if (request.receiver instanceof Class) {
            return o.receiver.kind == Value.Kind.CLASS
                    && o.receiver.payload.equals(((Class<?>) request.receiver).getName().replace('.', '/'));
        }
        long actual = pool.idOf(request.receiver);
        if (actual != 0) {
            return o.receiver.id == actual;
        }
        // An object that observed code made and that has no identity yet: it can be the recorded one, if nothing is.
        return o.receiver.id != 0 && pool.get(o.receiver.id) == null && isSameType(o, request);
    }

    /**
     * Whether natural code that calls a lambda of the environment gets to {@code o}: the lambda itself cannot be recorded, but the
     * method that it leads to is, with the lambda's arguments behind what it has captured. Lambdas of the JDK's own do something with
     * what others give ({@code Predicate.negate}); what these gave is not their answer.
     */
    private boolean isBodyOf(Outgoing o, Request request) {
        ObjectInfo lambda = request.place != null || request.receiver == null ? null
                : session.objects.get(pool.idOf(request.receiver));
        if (lambda == null || lambda.role != ObjectInfo.Role.HIDDEN || o.site != 0 || o.op != Op.CALL
                && o.op != Op.CALL_STATIC && o.op != Op.CONSTRUCT) {
            return false;
        }
        String host = lambda.className.replaceFirst("(\\$\\$Lambda|/0x).*", "");
        boolean leads = o.member.name.startsWith("lambda$") ? o.member.owner.equals(host) : !host.startsWith("java/");
        if (!leads) {
            return false;
        }
        List<Value> given = new ArrayList<>();
        if (o.op == Op.CALL) {
            given.add(o.receiver);
        }
        given.addAll(o.args);
        int captured = given.size() - request.args.length;
        for (int i = 0; i < request.args.length; i++) {
            if (captured < 0 || !maybe(given.get(captured + i), request.args[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean maybe(Value recorded, Object actual) {
        switch (recorded.kind) {
            case NULL:
                return actual == null;
            case OBJECT:
                Object known = pool.get(recorded.id);
                return known == null ? actual != null && pool.idOf(actual) == 0 : known == actual;
            case CLASS:
                return actual instanceof Class;
            default:
                return recorded.payload.equals(actual);
        }
    }

    /** Whether operation, name, descriptor and, without receiver, the class are the same. */
    static boolean isSameOperation(Outgoing o, Request request) {
        return o.op == request.op && o.member.name.equals(request.member.name)
                && o.member.desc.equals(request.member.desc)
                && (request.op.hasReceiver() || o.member.owner.equals(request.member.owner)
                        || o.targetClass.equals(request.member.owner));
    }

    private boolean isSameType(Outgoing o, Request request) {
        ObjectInfo info = session.objects.get(pool.idOf(request.receiver));
        String actual = info != null ? info.className : request.receiver.getClass().getName().replace('.', '/');
        return o.targetClass.equals(actual);
    }

    private String describe(Request request) {
        return request.describe(request.receiver == null ? 0 : pool.idOf(request.receiver));
    }
}
