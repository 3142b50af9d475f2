package jinsi.replay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A method, constructor or field as a class file names it. Equal if all three parts are. */
final class Member {
    /** Internal name of the class. */
    final String owner;
    /** Simple name; {@code <init>} for constructors. */
    final String name;
    /** Descriptor (JVMS §4.3). */
    final String desc;
    /** Descriptors of the parameters; empty for fields. */
    final List<String> parameters;
    /** Descriptor of the result ({@code V} for none), or of the field's type. */
    final String result;

    /**
     * @throws IllegalArgumentException if {@code desc} is no descriptor
     */
    Member(String owner, String name, String desc) {
        this.owner = owner;
        this.name = name;
        this.desc = desc;
        if (desc.startsWith("(")) {
            List<String> types = new ArrayList<>();
            int at = 1;
            while (at < desc.length() && desc.charAt(at) != ')') {
                int end = endOfType(desc, at);
                types.add(desc.substring(at, end));
                at = end;
            }
            if (at + 1 >= desc.length()) {
                throw new IllegalArgumentException("no method descriptor: " + desc);
            }
            this.parameters = Collections.unmodifiableList(types);
            this.result = desc.substring(at + 1);
        } else {
            this.parameters = List.of();
            this.result = desc;
        }
    }

    private static int endOfType(String desc, int start) {
        int at = start;
        while (at < desc.length() && desc.charAt(at) == '[') {
            at++;
        }
        if (at < desc.length() && desc.charAt(at) == 'L') {
            at = desc.indexOf(';', at);
        }
        if (at < 0 || at >= desc.length()) {
            throw new IllegalArgumentException("no descriptor: " + desc);
        }
        return at + 1;
    }

    /** Whether this is {@link Object#hashCode()}, or overrides it. */
    boolean isHashCode() {
        return name.equals("hashCode") && desc.equals("()I");
    }

    /** Whether this is {@link Object#toString()}, or overrides it. */
    boolean isToString() {
        return name.equals("toString") && desc.equals("()Ljava/lang/String;");
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Member)) {
            return false;
        }
        Member that = (Member) other;
        return owner.equals(that.owner) && name.equals(that.name) && desc.equals(that.desc);
    }

    @Override
    public int hashCode() {
        return (owner.hashCode() * 31 + name.hashCode()) * 31 + desc.hashCode();
    }

    /** {@code owner.name} and, for methods, the descriptor. */
    @Override
    public String toString() {
        return owner + "." + name + (desc.startsWith("(") ? desc : "");
    }
}
