package jinsi.replay;

import java.util.List;

/** An outgoing interaction: a question of observed code and its recorded answer. */
final class Outgoing {
    /** Number, unique in the session. */
    final int no;
    /** In a session of several threads: when it may return. */
    final Turn turn;
    /** What it does. */
    final Op op;
    /** Member as the site names it. */
    final Member member;
    /** Internal name of the receiver's class, or of the class itself. */
    final String targetClass;
    /** Recorded site, 0 if natural code asked. */
    final int site;
    /** Bytecode index of the site. */
    final int bci;
    /** Line of the site, 0 if unknown. */
    final int line;
    /** Receiver; null for static members and constructors. */
    final Value receiver;
    /** Arguments. */
    final List<Value> args;
    /** The answer. */
    final Outcome outcome;
    /** Calls back into observed code, in order. */
    final List<Interaction> callbacks;
    /** What it changed. */
    final List<Effect> effects;

    Outgoing(int no, Turn turn, Op op, Member member, String targetClass, int site, int bci, int line, Value receiver,
            List<Value> args, Outcome outcome, List<Interaction> callbacks, List<Effect> effects) {
        this.no = no;
        this.turn = turn;
        this.op = op;
        this.member = member;
        this.targetClass = targetClass;
        this.site = site;
        this.bci = bci;
        this.line = line;
        this.receiver = receiver;
        this.args = args;
        this.outcome = outcome;
        this.callbacks = callbacks;
        this.effects = effects;
    }

    /** Whether an object was asked for its class, and that is hidden, as those of lambdas are: its stand-in's takes its place. */
    boolean isForHiddenClass() {
        Value value = outcome.value;
        return member.name.equals("getClass") && op == Op.CALL && value != null && value.kind == Value.Kind.CLASS
                && ((String) value.payload).matches(".*(\\$\\$Lambda|/0x).*");
    }

    @Override
    public String toString() {
        return "outgoing " + no + " (" + op + " " + member
                + (receiver.kind == Value.Kind.OBJECT ? " on " + receiver : "")
                + (site == 0 ? "" : ", bytecode " + bci + (line == 0 ? "" : ", line " + line)) + ")";
    }
}
