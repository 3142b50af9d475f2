package jinsi.replay;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Replay of one test: holds its objects and answers what observed code asks. Belongs to the thread that made it, or, if the
 * recording has several, to whichever has its turn.
 *
 * <p>A test that cannot go on is ended by a {@link Stop}. The first one decides, even if observed code catches it: it is thrown
 * again at the next opportunity ({@link Progress}).
 */
final class Engine {
    private final Session session;
    private final ReplayLoader loader;
    private final Mode mode;
    private final long budget;
    private final Progress progress;
    private final Notes notes = new Notes();
    private final ObjectPool pool = new ObjectPool();
    private final StandIns standIns;
    private final MemberLookup lookup;
    private final ObjectMaker maker;
    private final EffectPlayer effects;
    private final AnswerSearch search;
    private final Binder binder;
    private final Judge judge;
    private final HashCodes hashes;
    private final Invoker invoker;
    private final Used used;
    private final Standstill standstill;
    private boolean resynchronized;
    private final BitSet lines = new BitSet();
    /** Hash of the lines and branches that were come to, in order; 0 if none was. */
    private long way;
    private final Output output = new Output();
    /** Internal names of classes whose initializers have begun. */
    private final Set<String> initialized = ConcurrentHashMap.newKeySet();
    private Watch watch = Watch.NOTHING;
    private long backEdges;
    private volatile boolean ended;

    /**
     * @param budget number of backward branches after which the test ends as unresolved
     * @param standstill where it stays if it does not end
     */
    Engine(Session session, ReplayLoader loader, Mode mode, long budget, Standstill standstill) {
        this.session = session;
        this.loader = loader;
        this.mode = mode;
        this.budget = budget;
        this.standstill = standstill;
        used = new Used(session);
        standIns = new StandIns(session, loader, this::proxyCalled, notes);
        lookup = new MemberLookup(loader);
        hashes = new HashCodes(pool, loader, lookup);
        Recognition recognition = new Recognition(session, pool, lookup);
        Given given = new Given(loader, pool);
        maker = new ObjectMaker(session, loader, pool, standIns, lookup, recognition,
                mode == Mode.STRICT ? given : null, notes);
        effects = new EffectPlayer(maker, pool, lookup, notes);
        search = new AnswerSearch(session, loader, pool);
        binder = new Binder(session, pool, recognition, given, notes);
        judge = new Judge(session, pool);
        invoker = new Invoker(maker, lookup);
        progress = new Progress(session.interactions.isThreaded(), standstill::leave);
        if (isScript()) {
            progress.contexts().push(new Context("the test", session.answers));
        }
        loader.belongsTo(this);
        if (session.salt != 0) {
            RawAccess.salt(session.salt - 1);
        }
    }

    // What rewritten classes ask: see Replay.

    /** Whether this is a written test. */
    boolean isScript() {
        return mode == Mode.SCRIPT || mode == Mode.TODAY;
    }

    /** Whether the recorded classes run, and not those of today. */
    boolean isRecorded() {
        return mode != Mode.TODAY;
    }

    boolean isMock(Object object) {
        return object != null && (pool.isMock(object) || ended && object instanceof Throwable);
    }

    /**
     * Whether the recording answers for the hash code of {@code object}: it is a stand-in, or its class leaves that to the JVM.
     * The projection has the same rule ({@code asks_identity_hash}).
     */
    boolean hasOtherHash(Object object) {
        return object != null && (isMock(object) || hashes.areIdentity(object.getClass()));
    }

    /**
     * Whether the recording answers what may also be done for real at the place {@code bridge}: the receiver is a stand-in, or what
     * comes next in the recording, or may come, was done there on it. Code of the session answers for itself, save that it tells its
     * identity hash code.
     */
    boolean isAnswered(int bridge, Object receiver) {
        if (isMock(receiver)) {
            return true;
        }
        Bridge place = session.bridges.get(bridge);
        if (place != null && receiver != null && !place.member.isToString() && loader.isCode(receiver.getClass())) {
            return false;
        }
        Context context = progress.contexts().peek();
        for (int i = context.begin(mode), end = context.end(mode); place != null && i < end; i++) {
            Outgoing candidate = context.outgoing.get(i);
            // Without a receiver, only what has none can be meant.
            if (context.isUsed(i) || place.op.hasReceiver() && receiver == null || candidate.site == 0) {
                continue;
            }
            Request request = new Request(place.op, place.member, receiver, new Object[0], place);
            if (request.isAt(candidate) && search.isFor(candidate, request)) {
                return true;
            }
        }
        return false;
    }

    /**
     * From now on every request is answered by nothing: zero, {@code false} or {@code null}. What a test has thrown is still
     * asked for its message, by whoever reports it, and may ask its environment in turn.
     */
    void end() {
        ended = true;
    }

    /** Ends the threads of pools: the test is over. */
    void endThreads() {
        pool.endThreads();
    }

    Object bridge(int no, Object receiver, Object[] args) {
        Bridge place = session.bridges.get(no);
        if (place == null) {
            throw progress.stop(Stop.unresolved(Why.HARNESS, "the session has no bridge " + no));
        }
        if (ended) {
            return Afterwards.nothing(place.member);
        }
        Class<?> literal = mode == Mode.TODAY && place.isOfClassLiteral() ? loader.namedOrNull((String) args[0]) : null;
        if (literal != null) {
            return literal;
        }
        Request request = new Request(place.op, place.member, receiver, args, place);
        boolean hash = place.op == Op.CALL && place.member.isHashCode() && receiver != null && !isMock(receiver);
        if (hash && mode == Mode.STRICT && hashes.mayBeUnknown(receiver.getClass()) && !isRecorded(request)) {
            // The recording did not know of the class whose hash code it has.
            return receiver.hashCode();
        }
        return hash && mode != Mode.STRICT ? hash(request) : answer(request);
    }

    private Object hash(Request request) {
        if (isRecorded(request)) {
            return hashes.of(request.receiver, (Integer) answer(request));
        }
        progress.check();
        resynchronized = true;
        if (notes.hasRoom()) {
            notes.add("no hash code was recorded here for " + request.describe(pool.idOf(request.receiver))
                    + "; it has one of its own");
        }
        return hashes.of(request.receiver, null);
    }

    Object trap(int no, Object self, Object[] args) {
        Trap trap = session.traps.get(no);
        if (trap == null) {
            throw progress.stop(Stop.unresolved(Why.HARNESS, "the session has no trap " + no));
        }
        if (ended) {
            return self instanceof Throwable ? Afterwards.reported((Throwable) self, trap.member) : Afterwards.nothing(trap.member);
        }
        if (trap.op == Op.CONSTRUCT) {
            throw progress.stop(Stop.unresolved(Why.HARNESS, "a constructor of the environment was run: " + trap.member));
        }
        return trapped(new Request(trap.op, trap.member, self, args, null));
    }

    private Object proxyCalled(Object proxy, Method method, Object[] args) {
        String desc = MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString();
        Member member = new Member(method.getDeclaringClass().getName().replace('.', '/'), method.getName(), desc);
        if (ended) {
            return Afterwards.nothing(member);
        }
        Request request = new Request(Op.CALL, member, proxy, args == null ? new Object[0] : args, null);
        if (method.isDefault() && RawAccess.runsDefaults() && !isRecorded(request)) {
            // What an interface does by itself, it does with what it asks the object for.
            return RawAccess.runDefault(proxy, method, args);
        }
        return trapped(request);
    }

    void backEdge() {
        if (ended) {
            return;
        }
        backEdges++;
        progress.stopIfEnded();
        if (backEdges > budget) {
            throw endless("more than " + budget + " backward branches");
        }
    }

    /** The test does not end: what ends it all the same, unless it stays here. */
    private Stop endless(String how) {
        Stop stop = progress.stop(Stop.unresolved(Why.BUDGET, how));
        standstill.stay(stop);
        return stop;
    }

    /** Threads that tests leave behind may come here, too. */
    synchronized void line(int line) {
        lines.set(line);
        goOn(2L * line);
    }

    /** What may follow a jump was come to. */
    synchronized void branch(int branch) {
        goOn(2L * branch + 1);
    }

    private void goOn(long place) {
        if (!ended) {
            // The increment and multiplier are those of Knuth's MMIX, which leave no bit alone.
            way = (way ^ place) * 6364136223846793005L + 1442695040888963407L;
            way ^= way >>> 29;
        }
    }

    /** Which way the test went through observed code, as a hash; 0 if the session does not count lines. */
    synchronized long way() {
        return way;
    }

    /**
     * How many different lines of observed code were executed; 0 if the session does not count them, or if code without line numbers,
     * which tells the line 0, was executed, too.
     */
    synchronized int lines() {
        return lines.get(0) ? 0 : lines.cardinality();
    }

    void beginClassInit(String internalName) {
        initialized.add(internalName);
        if (isScript()) {
            return; // a script has one context
        }
        progress.check();
        progress.contexts().push(new Context("the initializer of " + internalName,
                session.classInits.getOrDefault(internalName, List.of())));
    }

    void endClassInit() {
        if (isScript()) {
            return;
        }
        progress.check();
        if (progress.contexts().size() > 1) {
            progress.contexts().pop();
        }
    }

    // Answers.

    /** Calls made by natural code are answered if recorded; identity methods of stand-ins always work. */
    private Object trapped(Request request) {
        progress.check();
        String method = request.member.name + request.member.desc;
        boolean identity = method.equals("hashCode()I") || method.equals("equals(Ljava/lang/Object;)Z")
                || method.equals("toString()Ljava/lang/String;") || method.equals("finalize()V");
        // A container is equal to another by what it holds, which is not known of this one.
        boolean itself = request.args.length == 1 && request.args[0] == request.receiver;
        boolean holds = StandIns.isContainer(request.receiver) && !itself;
        if (!identity || holds || isRecorded(request)) {
            return answer(request);
        }
        long id = pool.idOf(request.receiver);
        String reported = "stand-in #" + id + " was asked for " + request.member.name + "; answered by identity";
        if (request.member.name.equals("toString") || request.member.name.equals("equals") && !itself) {
            notes.doubt(reported);
        } else if (notes.hasRoom()) {
            notes.add(reported);
        }
        switch (request.member.name) {
            case "hashCode":
                return id == 0 ? System.identityHashCode(request.receiver) : Long.hashCode(id);
            case "equals":
                return request.receiver == request.args[0];
            case "toString":
                return request.receiver.getClass().getName() + "@" + id;
            default:
                return null;
        }
    }

    private boolean isRecorded(Request request) {
        return search.has(progress.contexts().peek(), request, mode);
    }

    private Object answer(Request request) {
        progress.check();
        Outgoing outgoing;
        Object result;
        output.note(request);
        Verdict end = watch.end(request);
        if (end != null) {
            throw progress.stop(new Stop(end));
        }
        if (progress.contexts().peek().isBeyondTheRecording()) {
            standstill.stay(Stop.unresolved(Why.BUDGET, "it went on after the end of the recording"));
        }
        try {
            if (request.op.hasReceiver() && request.receiver == null) {
                throw nullReceiver(request);
            }
            outgoing = find(request);
            Binder.Differences differences = enact(outgoing, request);
            String differs = differences.ofValues;
            result = outgoing.isForHiddenClass() ? request.receiver.getClass() : outcome(outgoing);
            if (differs != null && outgoing.outcome.kind == Outcome.Kind.THREW
                    && session.predicate.isAssertion() && session.predicate.matches((Throwable) result)) {
                // An assertion is about what it is given, and holds of something else.
                throw mode == Mode.TODAY ? Stop.unresolved(Why.NO_ALTERNATIVE,
                        "whether the assertion holds is not known: " + differs) : new Stop(Verdict.PASSING);
            }
        } catch (Stop e) {
            throw progress.stop(e);
        } catch (NullReceiver e) {
            throw new NullPointerException();
        } catch (RuntimeException | LinkageError e) {
            throw progress.stop(Stop.unresolved(Why.HARNESS, "while answering " + request.member + ": " + e));
        }
        if (outgoing.outcome.kind == Outcome.Kind.THREW) {
            throw Throwables.sneaky((Throwable) result);
        }
        if (!isScript()) {
            Setting.follow(request.member, request.args);
        }
        return result;
    }

    /** The receiver is null, and so it was in the recording. */
    private static final class NullReceiver extends Exception {
        private static final long serialVersionUID = 1;
    }

    private NullReceiver nullReceiver(Request request) {
        Context context = progress.contexts().peek();
        for (int i = context.next(); i < context.outgoing.size(); i++) {
            Outgoing candidate = context.outgoing.get(i);
            if (AnswerSearch.isSameOperation(candidate, request) && candidate.receiver.kind == Value.Kind.NULL) {
                used.add(context.take(i).no);
                return new NullReceiver();
            }
        }
        if (mode == Mode.TODAY) {
            // Whatever was recorded, that is what a JVM does.
            return new NullReceiver();
        }
        throw Stop.unresolved(Why.NULL_RECEIVER, "receiver is null: " + request.describe(0));
    }

    private Outgoing find(Request request) {
        Context context = progress.contexts().peek();
        AnswerSearch.Found found = mode == Mode.RESYNCHRONIZING ? search.alternative(context, request)
                : mode == Mode.TODAY ? search.ofToday(context, request) : search.next(context, request, mode == Mode.STRICT);
        if (found.passedOver != null) {
            notes.doubt("answered by " + found.outgoing + ", before which the recorded code did " + found.passedOver);
        }
        if (!found.inSequence) {
            resynchronized = true;
            if (notes.hasRoom()) {
                notes.add("re-synchronized in " + context.name + ": answered by " + found.outgoing + ", "
                        + request.describe(0));
            }
        }
        used.add(found.outgoing.no);
        return found.outgoing;
    }

    /** Does what happened while the outgoing interaction ran; says which argument has another value, if one has. */
    private Binder.Differences enact(Outgoing outgoing, Request request) {
        if (outgoing.receiver.kind == Value.Kind.OBJECT) {
            // The search has found that the receiver is the recorded object, or that both are free.
            pool.bind(outgoing.receiver.id, request.receiver);
        }
        // The body of a lambda has what that captured before the arguments, and may have its first argument as receiver.
        int captured = Math.max(0, outgoing.args.size() - request.args.length);
        Binder.Differences differences = binder.arguments(outgoing, outgoing.args.subList(captured, outgoing.args.size()),
                request.args);
        if (differences.ofValues != null && mode == Mode.STRICT) {
            throw Stop.unresolved(Why.DIVERGENCE,
                    "divergence in " + progress.contexts().peek().name + ": " + differences.ofValues);
        }
        if (differences.any != null && mode == Mode.TODAY) {
            notes.doubt("the answer was recorded for something else: " + differences.any);
        }
        for (Interaction callback : outgoing.callbacks) {
            progress.await(callback.turn.first);
            callBack(callback);
        }
        progress.await(outgoing.turn.first);
        progress.pass(outgoing.turn);
        // Changes before a call-back are its own.
        effects.play(outgoing.effects);
        return differences;
    }

    private Object outcome(Outgoing outgoing) {
        switch (outgoing.outcome.kind) {
            case OPEN:
                standstill.stay(Stop.unresolved(Why.BUDGET, "it waits in " + outgoing));
                if (mode != Mode.TODAY) {
                    throw progress.endThread();
                }
                throw Stop.unresolved(Why.HARNESS, "the recording ended inside " + outgoing);
            case THREW:
                return resolve(Value.object(outgoing.outcome.thrown), outgoing);
            default:
                Value value = outgoing.outcome.value;
                return value == null ? null : typed(resolve(value, outgoing), outgoing);
        }
    }

    private Object resolve(Value value, Outgoing outgoing) {
        try {
            return maker.resolve(value);
        } catch (MissingObjectException e) {
            throw Stop.unresolved(Why.ARGUMENT_MISSING, "answer of " + outgoing + ": " + e.getMessage());
        }
    }

    /** A stand-in of another class must not surprise observed code by a ClassCastException of ours. */
    private Object typed(Object result, Outgoing outgoing) {
        Class<?> type = outgoing.op == Op.CONSTRUCT ? null : lookup.result(outgoing.member);
        if (result != null && type != null && !type.isPrimitive() && !type.isInstance(result)) {
            throw Stop.unresolved(Why.HARNESS, "answer of " + outgoing + " is a " + result.getClass().getName()
                    + " here");
        }
        return result;
    }

    // Incoming interactions.

    /**
     * Executes an incoming interaction in a context of its own.
     *
     * @throws Stop if the test ends here
     * @throws Throwable what it threw
     */
    Object execute(Interaction i) throws Throwable {
        int depth = progress.contexts().size();
        Context context = null;
        if (!isScript()) {
            context = new Context(i.toString(), i.outgoing, i.outcome.kind == Outcome.Kind.OPEN);
            progress.contexts().push(context);
            progress.pass(i.turn);
        }
        try {
            Object result = invoker.perform(i);
            if (i.outcome.kind == Outcome.Kind.RETURNED && i.outcome.value != null) {
                boolean same = binder.value(i.outcome.value, result);
                if (!same && notes.hasRoom()) {
                    notes.add(i + " returned something else than " + i.outcome.value);
                }
                if (!same && mode == Mode.STRICT && i.outcome.value.kind != Value.Kind.OBJECT) {
                    throw Stop.unresolved(Why.DIVERGENCE, "divergence in " + i + ": expected to return "
                            + i.outcome.value + ", returned " + result);
                }
            }
            checkFinished(i, context, null);
            return result;
        } catch (Stop e) {
            // What cannot be done for real is left out; whoever drives the test decides.
            throw session.isDirect() && e.verdict.isLack() ? e : progress.stop(e);
        } catch (Throwable e) {
            HelpfulMessages.settle(e, session.bridges);
            if (i.outcome.kind == Outcome.Kind.THREW) {
                checkFinished(i, context, e);
            }
            throw e;
        } finally {
            while (progress.contexts().size() > depth) {
                progress.contexts().pop();
            }
        }
    }

    /** In strict replay, all answers of a finished context have been used. An exception where there was none is reported first. */
    private void checkFinished(Interaction i, Context context, Throwable exception) {
        if (context != null && mode == Mode.STRICT && progress.verdict() == null && context.peek() != null
                && i.outcome.kind != Outcome.Kind.OPEN) {
            throw progress.stop(Stop.unresolved(Why.DIVERGENCE,
                    "divergence in " + i + ": expected " + context.peek() + ", got its end"
                            + (exception == null ? "" : " by " + Throwables.describe(exception))));
        }
    }

    private void callBack(Interaction callback) {
        effects.play(callback.before);
        try {
            execute(callback);
        } catch (Stop e) {
            throw e;
        } catch (Throwable e) {
            progress.stopIfEnded();
            if (!judge.isRecordedOutcome(callback, e)) {
                throw new Stop(judge.of(callback, e));
            }
        }
        progress.stopIfEnded();
    }

    /** Whether {@code exception} is the one with which {@code i} ended in the recording. It gets the recorded identity. */
    boolean isRecordedOutcome(Interaction i, Throwable exception) {
        return judge.isRecordedOutcome(i, exception);
    }

    /** What an exception that escaped from {@code i} means for the test. */
    Verdict judge(Interaction i, Throwable exception) {
        Verdict end = progress.verdict();
        return end != null ? end : judge.of(i, exception);
    }

    // What the test came to.

    /** Which of its threads goes on, and what ended it. */
    Progress progress() {
        return progress;
    }

    /** What the test watches, before it begins. */
    void watch(Watch what) {
        watch = what;
    }

    /** Looks at the objects of this test. */
    Inspection inspection() {
        return new Inspection(this, session, loader, pool, maker);
    }

    /** Whether the initializer of the class with this internal name has begun. */
    boolean hasBegun(String internalName) {
        return initialized.contains(internalName);
    }

    /** Something that is done while nothing is asked of the environment. */
    interface Look<T, E extends Exception> {
        T look() throws E;
    }

    /** Does it. What code of the test asks meanwhile is answered by nothing. */
    <T, E extends Exception> T undisturbed(Look<T, E> action) throws E {
        boolean before = ended;
        ended = true;
        try {
            return action.look();
        } finally {
            ended = before;
        }
    }

    /** What observed code had its environment write. */
    String output() {
        return output.toString();
    }

    /** Ties recorded identities to objects of this test. */
    Binder binder() {
        return binder;
    }

    /** Whether an answer was used out of sequence. */
    boolean resynchronized() {
        return resynchronized;
    }

    /** What a person should know about this replay. */
    List<String> notes() {
        return notes.lines();
    }

    /** What was answered in a way that may not be so; {@code null} if nothing was. */
    String doubt() {
        return notes.doubt();
    }

    /** See {@link StandIns#classes}. */
    Map<String, String> standIns() {
        return standIns.classes();
    }

    /** Numbers of the answers used, in order. */
    List<Integer> used() {
        return used.numbers();
    }

    /** Backward branches taken. */
    long backEdges() {
        return backEdges;
    }

    /** Repeats changes that happened outside observed code. */
    void play(List<Effect> changes) {
        try {
            effects.play(changes);
        } catch (Stop e) {
            throw progress.stop(e);
        }
    }

    /** If the replay is recorded, its recorder is informed of the static fields that were written. */
    void tellStatics(List<Effect> written) {
        effects.tellStatics(written);
    }

    /**
     * The object with identity {@code id}.
     *
     * @throws MissingObjectException if it cannot be had in this test
     */
    Object object(long id) throws MissingObjectException {
        return maker.object(id);
    }
}
