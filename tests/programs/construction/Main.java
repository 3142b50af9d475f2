package construction;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Every way in which an object can come to be. Each section prints its name, so that a reader of the events finds it. */
public final class Main {
    private Main() {
    }

    static class Point implements Serializable, Cloneable {
        private static final long serialVersionUID = 1;
        protected int x;
        long weight = 7L;
        final String label;
        int[] row = {1, 2};
        Object other;

        Point(int x, String label) {
            this.x = x;
            this.label = label;
        }

        Point(int x) {
            this(twice(x), "from " + x);
        }

        static int twice(int x) {
            if (x < 0) {
                throw new IllegalArgumentException("negative");
            }
            return x * 2;
        }

        Point copy() throws CloneNotSupportedException {
            return (Point) clone();
        }

        @Override
        protected Object clone() throws CloneNotSupportedException {
            return super.clone();
        }

        int sum() {
            return x + row[0];
        }
    }

    /** A field of the superclass' name. */
    static final class Point3 extends Point {
        private static final long serialVersionUID = 1;
        private final double x;
        private boolean flag = true;
        private char letter = 'c';
        private byte small = -3;
        private short middle = -300;
        private float half = 0.5f;

        Point3(int x, double z) {
            super(twice(x), "three");
            this.x = z;
        }

        double z() {
            return flag ? x + letter + small + middle + half : 0;
        }
    }

    static final class Custom implements Serializable {
        private static final long serialVersionUID = 1;
        int kept = 5;
        transient int derived = 10;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            derived = kept * 2;
        }
    }

    public static final class Outside implements Externalizable {
        int value;

        public Outside() {
            value = 1;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(value);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            value = in.readInt() + 1;
        }
    }

    static final class Resolved implements Serializable {
        private static final long serialVersionUID = 1;
        static final Resolved ONE = new Resolved(1);
        final int number;

        Resolved(int number) {
            this.number = number;
        }

        private Object readResolve() {
            return ONE;
        }
    }

    /** Two of a ring, the second with code of its own while the first is not yet filled. */
    static class Node implements Serializable {
        private static final long serialVersionUID = 1;
        String name = "node";
        Node next;
    }

    static final class Last extends Node {
        private static final long serialVersionUID = 1;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
        }
    }

    enum Colour {
        RED(1),
        GREEN(2) {
            @Override
            int code() {
                return 20;
            }
        };

        private final int code;

        Colour(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    public static final class Service implements Supplier<String> {
        final String text;

        public Service() {
            text = "served";
        }

        @Override
        public String get() {
            return text;
        }
    }

    /** Registers itself from the constructor of an unobserved superclass. */
    static final class Leaked extends Registry {
        int after;

        Leaked() {
            super("leaked");
            after = 4;
        }

        @Override
        protected void registered(Registry self) {
            ((Leaked) self).after++;
        }
    }

    static final class Throwing {
        final int a;

        Throwing(int a) {
            this.a = a;
            if (a > 1) {
                throw new IllegalStateException("after super");
            }
        }
    }

    private final class Inner {
        int i = 1;
    }

    static byte[] bytes(Object object) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(out)) {
            stream.writeObject(object);
        }
        return out.toByteArray();
    }

    static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return stream.readObject();
        }
    }

    static void say(String section) {
        System.out.println(section);
    }

    public static void main(String[] args) throws Throwable {
        say("new");
        new Point(1, "one").sum();
        say("this");
        new Point(2).sum();
        say("argument throws");
        try {
            new Point(-1);
        } catch (IllegalArgumentException e) {
            say(e.getMessage());
        }
        say("constructor throws");
        try {
            new Throwing(2);
        } catch (IllegalStateException e) {
            say(e.getMessage());
        }
        say("reflection");
        ((Point) Point.class.getDeclaredConstructor(int.class, String.class).newInstance(3, "reflected")).sum();
        say("handle");
        MethodType type = MethodType.methodType(void.class, int.class, String.class);
        ((Point) MethodHandles.lookup().findConstructor(Point.class, type).invoke(4, "handled")).sum();
        say("clone");
        Point original = new Point3(5, 1.5);
        original.other = new ArrayList<>(List.of("a", original));
        Point copy = original.copy();
        System.out.println(copy.sum() + " " + ((Point3) copy).z());
        int[][] rows = {{1, 2}, {3}};
        int[][] sameRows = rows.clone();
        System.out.println(sameRows[0][1]);
        say("serialized");
        Point stored = new Point3(6, 2.5);
        stored.other = new Point(7, "nested");
        Point restored = (Point) read(bytes(stored));
        System.out.println(restored.sum() + " " + ((Point) restored.other).label + " " + ((Point3) restored).z());
        say("readObject");
        Custom custom = new Custom();
        custom.kept = 21;
        System.out.println(((Custom) read(bytes(custom))).derived);
        say("external");
        System.out.println(((Outside) read(bytes(new Outside()))).value);
        say("readResolve");
        System.out.println(read(bytes(new Resolved(9))) == Resolved.ONE);
        say("ring");
        Node first = new Node();
        first.next = new Last();
        first.next.next = first;
        first.name = "first";
        Node ring = (Node) read(bytes(first));
        System.out.println(ring.next.next == ring);
        useRing(ring);
        say("invalid");
        try {
            read(new byte[] {1, 2, 3, 4});
        } catch (IOException e) {
            System.out.println(e instanceof InvalidObjectException);
        }
        say("unsafe");
        Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        Object bare = unsafe.getClass().getMethod("allocateInstance", Class.class).invoke(unsafe, Point3.class);
        System.out.println(((Point3) bare).z());
        say("service");
        for (Supplier<?> each : java.util.ServiceLoader.load(Supplier.class, Main.class.getClassLoader())) {
            System.out.println(each.get());
        }
        say("leaked");
        System.out.println(new Leaked().after);
        say("enum");
        System.out.println(Colour.GREEN.code() + Colour.RED.code());
        say("inner");
        System.out.println(new Main().new Inner().i);
        class Local {
            final int captured = args.length;
        }
        System.out.println(new Local().captured);
        System.out.println(new Object() {
            int unnamed() {
                return 3;
            }
        }.unnamed());
        say("end");
    }

    static void useRing(Node ring) {
        System.out.println(ring.name + ring.next.name);
    }
}
