package sliced;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What fails in one thread, another one has written: a field, an element of an array, and what a list holds. */
final class Handover {
    private int value;
    private final int[] elements = new int[4];
    private final List<Integer> list = Collections.synchronizedList(new ArrayList<>());
    private int ready;

    void produce(int n) {
        int unused = n + 1; // produce: unused
        int doubled = n * 2; // produce: double
        value = doubled; // produce: field
        int last = elements.length - 1; // produce: last
        elements[last] = n + ready; // produce: element
        ready = unused; // produce: ready
        list.add(n * 3); // produce: add
    }

    void consume() {
        int sum = value; // consume: field
        sum += elements[3]; // consume: element
        sum += list.get(0); // consume: list
        if (sum > 10) { // consume: if
            throw new IllegalStateException("sum " + sum); // consume: throw
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Handover handover = new Handover(); // main: new
        handover.ready = 2; // main: ready
        Thread producer = new Thread(() -> handover.produce(7), "producer"); // main: thread
        producer.start();
        producer.join();
        handover.consume(); // main: consume
    }
}
