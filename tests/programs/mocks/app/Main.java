package mocks.app;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import mocks.out.World;
import mocks.out.World.Color;
import mocks.out.World.Either;
import mocks.out.World.Fixed;
import mocks.out.World.Left;
import mocks.out.World.Right;
import mocks.out.World.Thing;

/** Does with objects of unobserved classes whatever can be done with objects; fails with what came of it. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        List<Object> all = new ArrayList<>();
        all.add(finals());
        all.add(sealedOnes(new Right("r", new Left(3))));
        all.add(constants(Color.valueOf("GREEN")));
        all.add(World.partial().number() + " " + World.partial().twice());
        all.add(interfaces(World.hidden()));
        all.add(lambdas(World.operator(3)));
        all.add(arrays(World.things()));
        all.add(statics());
        throw new IllegalStateException(all.toString());
    }

    /** As keys and locks; constructors, one of which throws. */
    private static String finals() {
        Fixed one = new Fixed(4);
        Fixed equal = new Fixed(4);
        Map<Fixed, String> byValue = new HashMap<>();
        byValue.put(one, "one");
        Map<Fixed, String> byIdentity = new IdentityHashMap<>();
        byIdentity.put(one, "itself");
        String failed = "none";
        try {
            new Fixed(-1);
        } catch (IllegalArgumentException e) {
            failed = e.getMessage();
        }
        synchronized (one) {
            return byValue.get(one) + " " + byIdentity.get(one) + " " + byIdentity.get(equal) + " " + one.equals(equal) + " "
                    + (one.hashCode() == equal.hashCode()) + " " + (one == equal) + " " + failed + " " + one.twice();
        }
    }

    private static String sealedOnes(Either either) {
        boolean left = either instanceof Left;
        Right right = (Right) either;
        return left + " " + right.text() + " " + right.left().value() + " " + (right.left() == right.left()) + " "
                + (either.getClass() == Right.class) + " " + right.getClass().getSimpleName() + " " + right.hashCode();
    }

    private static String constants(Color color) {
        return color.code() + " " + color.name() + " " + color.ordinal() + " " + (color == Color.GREEN) + " "
                + color.getDeclaringClass().getSimpleName() + " " + Color.values().length + " " + Color.RED.code();
    }

    private static String interfaces(Thing thing) {
        Set<Object> set = new HashSet<>();
        set.add(thing);
        Object cast = thing;
        String wrong = "none";
        try {
            Fixed.class.cast(cast);
        } catch (ClassCastException e) {
            wrong = "no cast";
        }
        return thing.number() + " " + thing.twice() + " " + (cast instanceof Comparable) + " " + (cast instanceof Either) + " "
                + set.contains(thing) + " " + wrong + " " + thing.getClass().isInterface();
    }

    private static String lambdas(IntUnaryOperator operator) {
        return operator.applyAsInt(5) + " " + operator.andThen(n -> n + 1).applyAsInt(6) + " "
                + operator.getClass().isInterface();
    }

    private static String arrays(Thing[][] things) {
        Thing[] first = things[0];
        int sum = 0;
        for (Thing[] row : things) {
            for (Thing thing : row) {
                sum += thing.number();
            }
        }
        return sum + " " + (first[0] == things[1][0]) + " " + (first instanceof Fixed[]) + " "
                + things.getClass().getSimpleName() + " " + first.clone().length;
    }

    private static String statics() {
        World.counter += 2;
        return World.counter + " " + World.NAME;
    }
}
