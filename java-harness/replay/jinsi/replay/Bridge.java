package jinsi.replay;

/** A place in rewritten observed code that asks: what it asks, and where it stands in the original code. */
final class Bridge {
    /** Number. */
    final int no;
    /** What it does. */
    final Op op;
    /** Member as the site names it. */
    final Member member;
    /** Where the site is: class, method and descriptor, internal names. */
    final Member holder;
    /** Bytecode index of the original instruction. */
    final int bci;
    /** Line, 0 if unknown. */
    final int line;
    /** Site number of the recording, 0 if it has none. */
    final int site;

    Bridge(int no, Op op, Member member, Member holder, int bci, int line, int site) {
        this.no = no;
        this.op = op;
        this.member = member;
        this.holder = holder;
        this.bci = bci;
        this.line = line;
        this.site = site;
    }
}
