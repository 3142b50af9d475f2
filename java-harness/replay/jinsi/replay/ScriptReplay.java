package jinsi.replay;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.List;

/**
 * Replay for a written test: the session's answers are given in the order in which the test asks. Used by
 * {@code jinsi.junit}; there is one at a time, from {@link #start} to {@link #close}, on one thread.
 */
public final class ScriptReplay implements AutoCloseable {
    private final Session session;
    private final ClassLoader testLoader;
    private final ReplayLoader loader;
    private final Engine engine;
    private final MemberLookup lookup;
    private final Binder binder;
    private int nextInteraction;

    private ScriptReplay(Session session, ClassLoader testLoader, ReplayLoader loader, Engine engine) {
        this.session = session;
        this.testLoader = testLoader;
        this.loader = loader;
        this.engine = engine;
        this.lookup = new MemberLookup(loader);
        this.binder = engine.binder();
    }

    /**
     * Begins replay on the calling thread, and repeats what happened before the test.
     *
     * @param session content of the session file
     * @param testLoader loader of the test class and of JUnit
     * @param testClass binary name of the test class, which the replay loader defines anew, nested classes included
     * @param recorded whether the recorded classes run; else those run that {@code testLoader} has
     * @throws SessionFormatException if the session is damaged or not that of a written test
     * @throws AssertionError if what happened before cannot be repeated: of recorded classes; else {@link #unknown} tells
     * @throws IllegalStateException if the classes of today cannot run on this machine
     */
    public static ScriptReplay start(byte[] session, ClassLoader testLoader, String testClass, boolean recorded)
            throws SessionFormatException {
        Session read = SessionReader.read(session);
        if (!read.script) {
            throw new SessionFormatException("this session is for the replay worker, not for a written test");
        }
        ReplayLoader loader = new ReplayLoader(read, testLoader, testClass, recorded);
        Engine engine = new Engine(read, loader, recorded ? Mode.SCRIPT : Mode.TODAY, Worker.DEFAULT_BUDGET,
                new Standstill());
        Replay.run(engine);
        try {
            engine.play(read.setUp);
        } catch (Stop e) {
            if (recorded) {
                Replay.run(null);
                throw new AssertionError("replay: " + e.getMessage());
            }
        }
        return new ScriptReplay(read, testLoader, loader, engine);
    }

    /** The loader in which the test has to run. */
    public ClassLoader loader() {
        return loader;
    }

    /**
     * The object with the recorded identity {@code id}: one that the test has made, or that comes from outside.
     *
     * @throws AssertionError if it cannot be had
     */
    public Object object(long id) {
        try {
            return engine.object(id);
        } catch (MissingObjectException | Stop e) {
            throw lack(e.getMessage());
        }
    }

    /** The test cannot go on. Of classes of today, nothing is known then. */
    private AssertionError lack(String what) {
        if (!engine.isRecorded()) {
            engine.progress().conclude(Verdict.unresolved(Why.HARNESS, what, null));
        }
        return new AssertionError("replay: " + what);
    }

    /**
     * Gives an object that the test has made the recorded identity {@code id}.
     *
     * @throws AssertionError if another object has this identity already
     */
    public void made(long id, Object object) {
        if (object != null && !binder.value(Value.object(id), object)) {
            throw lack(object.getClass().getName() + " cannot be #" + id);
        }
    }

    /**
     * Calls a method that Java source cannot reach. Arguments and result get the identities that the next recorded
     * interaction with the same member has.
     *
     * @param className binary or internal name of the class that declares it
     * @param name its name
     * @param desc its descriptor (JVMS §4.3)
     * @param receiver the receiver, {@code null} for static methods
     * @param args the arguments
     * @return its result, boxed. What it throws is thrown as it is
     * @throws AssertionError if there is no such method
     */
    public Object call(String className, String name, String desc, Object receiver, Object... args) {
        Member member = new Member(className.replace('.', '/'), name, desc);
        return perform(member, arguments(args), values -> lookup.method(member).invoke(receiver, values));
    }

    /**
     * Makes an object by a constructor that Java source cannot reach; identities as for {@link #call}.
     *
     * @param className binary or internal name of the class
     * @param desc descriptor of the constructor
     * @param args the arguments
     * @return the new object. What the constructor throws is thrown as it is
     * @throws AssertionError if there is no such constructor
     */
    public Object construct(String className, String desc, Object... args) {
        Member member = new Member(className.replace('.', '/'), "<init>", desc);
        return perform(member, arguments(args), values -> Invoker.construct(lookup.constructor(member), values));
    }

    private interface Access {
        Object with(Object[] args) throws ReflectiveOperationException;
    }

    private Object perform(Member member, Object[] args, Access access) {
        Interaction recorded = next(member);
        if (recorded != null) {
            binder.arguments(recorded, recorded.args, args);
        }
        try {
            Object result = access.with(args);
            if (recorded != null && recorded.outcome.value != null) {
                binder.value(recorded.outcome.value, result);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw Throwables.sneaky(e.getCause());
        } catch (ReflectiveOperationException | IllegalArgumentException | Stop e) {
            throw lack("cannot run " + member + ": " + e);
        }
    }

    private Interaction next(Member member) {
        InteractionTable all = session.interactions;
        for (int i = nextInteraction; i < all.size(); i++) {
            if (all.get(i).member.equals(member)) {
                nextInteraction = i + 1;
                return all.get(i);
            }
        }
        return null;
    }

    /** What the tested code has had written outside: to standard output, to files. */
    public String written() {
        return engine.output();
    }

    /** Something that a test does with the tested code. */
    public interface Action {
        /** Does it. */
        void run() throws Throwable;
    }

    /**
     * The status with which {@code action} has the program ended, which goes on for the test; 0 if it does not. What it throws otherwise
     * is thrown as it is. Nothing that comes behind the end can ask the recording.
     */
    public int exitStatus(Action action) {
        engine.watch(Watch.STATUS);
        Throwable thrown = null;
        try {
            action.run();
        } catch (Throwable e) {
            thrown = e;
        }
        engine.watch(Watch.NOTHING);
        Verdict end = engine.progress().verdict();
        if (end != null && end.status != null) {
            return end.status;
        }
        if (thrown != null) {
            throw Throwables.sneaky(thrown);
        }
        return 0;
    }

    /**
     * Whether a predicate of the user's holds of an object that can be reached from what the test has.
     *
     * @param predicate binary name of its class, a {@code java.util.function.Predicate} on the class path of the test
     * @throws AssertionError if it cannot be asked
     */
    public boolean holdsOfAny(String predicate) {
        try {
            return engine.inspection().satisfies(UserPredicate.of(testLoader, predicate));
        } catch (ReflectiveOperationException | IOException e) {
            throw lack(e.toString());
        }
    }

    /** A single null argument arrives as no array at all. */
    private static Object[] arguments(Object[] args) {
        return args == null ? new Object[] {null} : args;
    }

    /**
     * Why it is not known how the code of today behaves: it asked what was never recorded, or what may have another answer now, or cannot run
     * against the recording at all. The recorded failure is one whatever else there is.
     *
     * @param thrown what the test method threw, {@code null} if nothing
     * @return {@code null} if it is known, and always of recorded classes
     */
    public String unknown(Throwable thrown) {
        if (engine.isRecorded()) {
            return null;
        }
        Verdict verdict = engine.progress().verdict();
        if (verdict != null && verdict.status == null) {
            return verdict.result == Verdict.Result.FAILING ? null : verdict.detail;
        }
        if (thrown != null && (session.predicate.matches(thrown) || thrown instanceof AssertionError)) {
            return null;
        }
        if (thrown instanceof LinkageError && !(thrown instanceof ExceptionInInitializerError)) {
            return "the classes of today do not fit those of the recording: " + thrown;
        }
        return engine.doubt();
    }

    /**
     * Judges how the test method ended.
     *
     * @param thrown what it threw, {@code null} if nothing
     * @return what the test has to throw, without the frames of rewriting: an {@code AssertionError} if the tested code
     *     asked something else than recorded, otherwise {@code thrown}. To be asked if {@link #unknown} tells nothing
     */
    public Throwable outcome(Throwable thrown) {
        Verdict verdict = engine.progress().verdict();
        boolean isOurs = verdict != null && verdict.status == null;
        Throwable reported = isOurs && verdict.result == Verdict.Result.FAILING ? verdict.exception : null;
        Throwable outcome = !isOurs ? thrown : reported != null ? reported : new AssertionError("replay: " + verdict.detail);
        if (outcome != null) {
            Throwables.removeBridgeFrames(outcome);
        }
        return outcome;
    }

    /** Ends replay. What the test has thrown can still be looked at. */
    @Override
    public void close() {
        engine.end();
    }
}
