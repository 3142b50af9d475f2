package shapes;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Looks at its own classes and objects in every way in which a change of their shape could show. */
public final class Main {
    private Main() {
    }

    static class Plain implements Serializable {
        int first = 1;
        private String second = "two";
        protected transient long third = 3;
    }

    static class Extended extends Plain {
        private final boolean fourth = true;

        boolean is(Extended other) {
            return this == other;
        }
    }

    static class Copied implements Cloneable {
        final int[] content = {1, 2};

        boolean is(Copied other) {
            return this == other;
        }

        Copied copy() throws CloneNotSupportedException {
            return (Copied) clone();
        }
    }

    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        final Integer amount;

        Refused(Integer amount) {
            this.amount = amount;
        }
    }

    enum Suit { HEARTS, SPADES }

    interface Marked {
        int MARK = 7;
    }

    public static void main(String[] args) throws Exception {
        for (Class<?> type : new Class<?>[] {
            Plain.class, Extended.class, Copied.class, Refused.class, Suit.class, Marked.class, Main.class}) {
            reflect(type);
        }
        serialize();
        Copied original = new Copied();
        Copied copy = original.copy();
        System.out.println(original.is(copy) + " " + copy.is(original) + " " + copy.is(copy) + " " + copy.content[1]);
        System.out.println(refuse(200_000));
    }

    private static void reflect(Class<?> type) {
        System.out.println(type + " " + Arrays.toString(type.getDeclaredFields()) + Arrays.toString(type.getFields()));
        for (Field field : type.getDeclaredFields()) {
            String name = field.getName();
            try {
                System.out.println(type.getDeclaredField(name));
            } catch (NoSuchFieldException e) {
                System.out.println("not there: " + name);
            }
        }
        ObjectStreamClass form = ObjectStreamClass.lookup(type);
        if (form != null) {
            System.out.println(form + " " + Arrays.toString(form.getFields()));
        }
    }

    private static void serialize() throws IOException, ClassNotFoundException {
        Extended extended = new Extended();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(extended);
        }
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        Extended read = (Extended) in.readObject();
        System.out.println(Arrays.hashCode(bytes.toByteArray()) + " " + read.is(extended) + " " + read.first + read.third);
    }

    /** Long enough to be compiled: boxes, new exceptions, and either of two new objects, in one method. */
    private static long refuse(int steps) {
        Map<Integer, Integer> balances = new HashMap<>();
        long sum = 0;
        for (int i = 0; i < steps; i++) {
            try {
                sum += draw(balances, i % 301, i % 7);
            } catch (Refused e) {
                sum -= e.amount;
            }
            Plain either = i % 3 == 0 ? new Plain() : new Extended();
            sum += either.first;
        }
        return sum;
    }

    private static int draw(Map<Integer, Integer> balances, int account, int amount) throws Refused {
        Integer balance = balances.getOrDefault(account, 50);
        if (balance < amount) {
            balances.put(account, 1000);
            throw new Refused(amount - balance);
        }
        balances.put(account, balance - amount);
        return balance;
    }
}
