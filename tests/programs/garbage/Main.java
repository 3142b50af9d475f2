package garbage;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Objects;

/**
 * Objects that are used once more and then let go, each in a method that is still running when it is asked whether the object has been
 * collected. Prints {@code true} for each.
 */
public final class Main {
    private Main() {
    }

    /** Takes no arguments. */
    public static void main(String[] args) throws InterruptedException {
        System.out.println("receiver " + receiver());
        System.out.println("argument " + argument());
        System.out.println("argument of the environment " + argumentOfTheEnvironment());
        System.out.println("argument of a call that throws " + argumentOfACallThatThrows());
        System.out.println("field " + field());
        System.out.println("value of a field " + valueOfAField());
        System.out.println("array " + array());
        System.out.println("array that throws " + arrayThatThrows());
        System.out.println("constructor that throws " + constructorThatThrows());
    }

    private static boolean receiver() throws InterruptedException {
        Thing thing = new Thing(0);
        WeakReference<Thing> reference = new WeakReference<>(thing);
        thing.touch(1);
        thing = null;
        return collected(reference);
    }

    private static boolean argument() throws InterruptedException {
        Thing thing = new Thing(0);
        WeakReference<Thing> reference = new WeakReference<>(thing);
        Thing.sum(thing, 2L, null);
        thing = null;
        return collected(reference);
    }

    private static boolean argumentOfTheEnvironment() throws InterruptedException {
        int[] numbers = {3, 1, 2};
        WeakReference<int[]> reference = new WeakReference<>(numbers);
        Arrays.sort(numbers);
        numbers = null;
        return collected(reference);
    }

    private static boolean argumentOfACallThatThrows() throws InterruptedException {
        int[] numbers = {3, 1, 2};
        WeakReference<int[]> reference = new WeakReference<>(numbers);
        try {
            Arrays.sort(numbers, 2, 1);
        } catch (IllegalArgumentException e) {
            numbers = null;
        }
        return collected(reference);
    }

    private static boolean field() throws InterruptedException {
        Thing thing = new Thing(0);
        WeakReference<Thing> reference = new WeakReference<>(thing);
        thing.number = 5 + thing.number;
        thing = null;
        return collected(reference);
    }

    private static boolean valueOfAField() throws InterruptedException {
        Thing thing = new Thing(0);
        Thing value = new Thing(1);
        WeakReference<Thing> reference = new WeakReference<>(value);
        thing.link = value;
        thing.link = null;
        value = null;
        return collected(reference) && thing.number == 0;
    }

    private static boolean array() throws InterruptedException {
        Thing[] things = {new Thing(0), null};
        WeakReference<Thing[]> reference = new WeakReference<>(things);
        WeakReference<Thing> element = new WeakReference<>(things[0]);
        things[1] = things[0];
        things = null;
        return collected(reference) && collected(element);
    }

    private static boolean arrayThatThrows() throws InterruptedException {
        int[] numbers = {1};
        WeakReference<int[]> reference = new WeakReference<>(numbers);
        try {
            System.out.println(numbers[1]);
        } catch (ArrayIndexOutOfBoundsException e) {
            numbers = null;
        }
        return collected(reference);
    }

    private static boolean constructorThatThrows() throws InterruptedException {
        Thing.last = null;
        try {
            Objects.requireNonNull(new Thing(-1));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        return collected(Thing.last);
    }

    private static boolean collected(WeakReference<?> reference) throws InterruptedException {
        for (int tries = 0; tries < 100 && reference.get() != null; tries++) {
            System.gc();
            Thread.sleep(10);
        }
        return reference.get() == null;
    }
}
