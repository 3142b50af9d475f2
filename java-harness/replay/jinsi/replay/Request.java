package jinsi.replay;

/** What observed code, or natural code on its behalf, asks of the environment. */
final class Request {
    /** What it does. */
    final Op op;
    /** Member as the asking place names it. */
    final Member member;
    /** Receiver, or {@code null} if it has none. */
    final Object receiver;
    /** Arguments; for writes the value. */
    final Object[] args;
    /** The asking place; {@code null} if natural code asks. */
    final Bridge place;

    Request(Op op, Member member, Object receiver, Object[] args, Bridge place) {
        this.op = op;
        this.member = member;
        this.receiver = receiver;
        this.args = args;
        this.place = place;
    }

    /** Whether {@code o} was recorded at the same place, as far as both places are known. */
    boolean isAt(Outgoing o) {
        if (place == null || o.site == 0) {
            return true;
        }
        if (place.places != null) {
            return place.places.contains(o.site);
        }
        return place.site != 0 ? place.site == o.site : place.bci == o.bci;
    }

    /** In words, with the receiver's identity if {@code id} is not 0. */
    String describe(long id) {
        return op + " " + member + (id == 0 ? "" : " on #" + id)
                + (place == null ? ", asked by natural code"
                        : ", asked by " + place.holder.owner + "." + place.holder.name + ", bytecode " + place.bci
                                + (place.line == 0 ? "" : ", line " + place.line));
    }
}
