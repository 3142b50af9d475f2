package recipes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Classes of the objects that graphs are made of, of each way to make some. */
public final class Shapes {
    private Shapes() {
    }

    /** An enum, of which one constant has a class of its own. */
    public enum Color {
        /** One. */
        RED,
        /** Another. */
        GREEN,
        /** One with a body. */
        BLUE {
            @Override
            boolean isCold() {
                return true;
            }
        };

        boolean isCold() {
            return false;
        }
    }

    /** A record. */
    public record Row(int id, String name) {
    }

    /** A generic record. */
    public record Pair<A, B>(A left, B right) {
    }

    /** A bean. */
    public static class Bean implements Cloneable {
        private String name;
        private List<String> tags = new ArrayList<>();
        private Object friend;
        private boolean open;

        public void setName(String name) {
            this.name = name;
        }

        public void setFriend(Object friend) {
            this.friend = friend;
        }

        public void setOpen(boolean open) {
            this.open = open;
        }

        void tag(String tag) {
            tags.add(tag);
        }

        String name() {
            return name;
        }

        /** A bean with the same fields, which no constructor makes. */
        Bean copy() {
            try {
                return (Bean) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        /** Has the bean around it. */
        class Part {
            private final int size;

            Part(int size) {
                this.size = size;
            }
        }
    }

    /** May be part of a ring. */
    static class Node {
        private static int made;
        private final String name;
        private final int no;
        private Object next;

        Node(String name) {
            this.name = name;
            this.no = ++made;
        }

        static Node of(String name) {
            return new Node(name + "!");
        }

        Node link(Object other) {
            next = other;
            return this;
        }
    }

    /** Its constructor calls what subclasses override, and hands itself out. */
    abstract static class Animal {
        private static Animal last;
        private final Animal before;
        protected int legs;
        private final String sound;

        Animal() {
            before = last;
            last = this;
            sound = sound();
        }

        abstract String sound();

        void setLegs(int legs) {
            this.legs = legs;
        }
    }

    /** Hides a field of its superclass. */
    static class Dog extends Animal {
        private final String sound;

        Dog(String sound) {
            super();
            this.sound = sound;
        }

        @Override
        String sound() {
            return "wuff" + sound;
        }
    }

    /** Generic, below a generic class. */
    static class Box<T> extends Holder<List<T>> {
        private T value;

        Box(T value) {
            super(new ArrayList<>());
            this.value = value;
        }

        void set(T other) {
            held().add(value);
            value = other;
        }
    }

    /** A generic superclass. */
    static class Holder<T> {
        private final T held;

        Holder(T held) {
            this.held = held;
        }

        T held() {
            return held;
        }
    }

    /** Made by a builder alone. */
    static final class Car {
        private int wheels;
        private Color color = Color.GREEN;
        private final List<Object> load = new ArrayList<>();

        private Car() {
        }

        static Builder builder() {
            return new Builder();
        }

        static final class Builder {
            private final Car car = new Car();

            Builder wheels(int wheels) {
                car.wheels = wheels;
                return this;
            }

            Builder color(Color color) {
                car.color = color;
                return this;
            }

            Builder load(Object thing) {
                car.load.add(thing);
                return this;
            }

            Car build() {
                return car;
            }
        }
    }

    /** There is one. */
    static final class Registry {
        private static final Registry ONE = new Registry();
        private final Map<String, Object> things = new HashMap<>();

        private Registry() {
        }

        static Registry instance() {
            return ONE;
        }

        void put(String name, Object thing) {
            things.put(name, thing);
        }

        Object get(String name) {
            return things.get(name);
        }
    }
}
