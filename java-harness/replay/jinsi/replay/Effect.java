package jinsi.replay;

import java.util.List;

/** A change that happened outside observed code and that replay repeats. */
abstract class Effect {
    private Effect() {
    }

    /** An array or natural object holds exactly this now. */
    static final class SetContent extends Effect {
        /** The object. */
        final long id;
        /** What it holds. */
        final Content content;

        SetContent(long id, Content content) {
            this.id = id;
            this.content = content;
        }
    }

    /** One array element was stored. */
    static final class Store extends Effect {
        /** The array. */
        final long array;
        /** Index in it. */
        final int index;
        /** The new element. */
        final Value value;

        Store(long array, int index, Value value) {
            this.array = array;
            this.index = index;
            this.value = value;
        }
    }

    /** An operation of a natural class, to be run for real. */
    static final class Natural extends Effect {
        /** Constructor, method or static method; the write of a static field, by {@link Session#statics}. */
        final Op op;
        /** Member of the JDK class. */
        final Member member;
        /** Receiver; for constructors the identity of the new object. */
        final Value receiver;
        /** Arguments. */
        final List<Value> args;
        /** Recorded result, or {@code null}: an object it names gets that identity. */
        final Value result;

        Natural(Op op, Member member, Value receiver, List<Value> args, Value result) {
            this.op = op;
            this.member = member;
            this.receiver = receiver;
            this.args = args;
            this.result = result;
        }
    }
}
