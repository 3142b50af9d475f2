package jinsi.replay;

import java.util.List;

/** An incoming interaction: driven, or a call-back inside an outgoing one. */
final class Interaction {
    /** Number in the level. */
    final int no;
    /** In a session of several threads: when it may begin. */
    final Turn turn;
    /** What it does. */
    final Op op;
    /** Member; its owner declares what ran. */
    final Member member;
    /** Internal name of the receiver's class, or of the class itself. */
    final String targetClass;
    /** Receiver; null for static members and constructors. */
    final Value receiver;
    /** Arguments. */
    final List<Value> args;
    /** How it ended. */
    final Outcome outcome;
    /** What changed outside since the previous interaction. */
    final List<Effect> before;
    /** What observed code asked meanwhile, in order. */
    final List<Outgoing> outgoing;

    Interaction(int no, Turn turn, Op op, Member member, String targetClass, Value receiver, List<Value> args,
            Outcome outcome, List<Effect> before, List<Outgoing> outgoing) {
        this.no = no;
        this.turn = turn;
        this.op = op;
        this.member = member;
        this.targetClass = targetClass;
        this.receiver = receiver;
        this.args = args;
        this.outcome = outcome;
        this.before = before;
        this.outgoing = outgoing;
    }

    @Override
    public String toString() {
        return "interaction " + no + " (" + op + " " + member
                + (receiver.kind == Value.Kind.OBJECT ? " on " + receiver : "") + ")";
    }
}
