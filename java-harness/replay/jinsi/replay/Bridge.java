package jinsi.replay;

import java.util.Set;

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
    /** Of code that may not be the recorded one: the sites of the recording that this may be; else {@code null}. */
    final Set<Integer> places;

    Bridge(int no, Op op, Member member, Member holder, int bci, int line, int site) {
        this(no, op, member, holder, bci, line, site, null);
    }

    Bridge(int no, Op op, Member member, Member holder, int bci, int line, int site, Set<Integer> places) {
        this.no = no;
        this.op = op;
        this.member = member;
        this.holder = holder;
        this.bci = bci;
        this.line = line;
        this.site = site;
        this.places = places;
    }

    /** Whether it is the one call in the method that compilers before Java 5 made of class literals: what it gives is no secret of the machine's. */
    boolean isOfClassLiteral() {
        return op == Op.CALL_STATIC && member.owner.equals("java/lang/Class") && member.name.equals("forName")
                && holder.name.equals("class$") && holder.desc.equals("(Ljava/lang/String;)Ljava/lang/Class;");
    }
}
