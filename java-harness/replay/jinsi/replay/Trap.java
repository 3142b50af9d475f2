package jinsi.replay;

/** A method or constructor of an environment class whose body asks instead of doing. */
final class Trap {
    /** Method, static method or constructor. */
    final Op op;
    /** The member that was run. */
    final Member member;

    Trap(Op op, Member member) {
        this.op = op;
        this.member = member;
    }
}
