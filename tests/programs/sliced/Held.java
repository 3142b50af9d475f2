package sliced;

import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Objects of the JDK that hold others: what is done to the one is done to the other. */
final class Held {
    private static int sink;

    private Held() {}

    static String written() {
        int number = 3; // written: number
        StringWriter text = new StringWriter(); // written: below
        PrintWriter writer = new PrintWriter(text); // written: above
        int other = 4; // written: other
        writer.println(number); // written: print
        sink = other; // written: sink
        return text.toString(); // written: criterion
    }

    static int stacked() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(); // stacked: bytes
        DataOutputStream data = new DataOutputStream(bytes); // stacked: data
        int value = 7; // stacked: value
        data.writeInt(value); // stacked: write
        data.flush(); // stacked: flush
        byte[] all = bytes.toByteArray(); // stacked: all
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(all)); // stacked: in
        return in.readInt(); // stacked: criterion
    }

    static int cleared() {
        List<Integer> list = new ArrayList<>(); // cleared: list
        list.add(1); // cleared: one
        list.add(2); // cleared: two
        List<Integer> part = list.subList(0, 1); // cleared: part
        part.clear(); // cleared: clear
        return list.size(); // cleared: criterion
    }

    static boolean viewed() {
        Map<String, Integer> map = new HashMap<>(); // viewed: map
        Collection<Integer> values = map.values(); // viewed: values
        map.put("a", 5); // viewed: put
        return values.contains(5); // viewed: criterion
    }

    static int wrapped() {
        List<Integer> list = new ArrayList<>(); // wrapped: list
        List<Integer> shown = Collections.unmodifiableList(list); // wrapped: shown
        list.add(9); // wrapped: add
        return shown.size(); // wrapped: criterion
    }

    static String layered() {
        int number = 3; // layered: number
        StringWriter text = new StringWriter(); // layered: below
        BufferedWriter buffered = new BufferedWriter(text); // layered: between
        PrintWriter writer = new PrintWriter(buffered); // layered: above
        writer.println(number); // layered: print
        writer.flush(); // layered: flush
        return text.toString(); // layered: criterion
    }

    static int doubly() {
        List<Integer> list = new ArrayList<>(); // doubly: list
        List<Integer> locked = Collections.synchronizedList(list); // doubly: locked
        List<Integer> shown = Collections.unmodifiableList(locked); // doubly: shown
        list.add(9); // doubly: add
        return shown.size(); // doubly: criterion
    }

    static int copied() {
        List<Integer> list = new ArrayList<>(Arrays.asList(1, 2)); // copied: list
        List<Integer> copy = new ArrayList<>(list); // copied: copy
        list.add(3); // copied: add
        return copy.size(); // copied: criterion
    }

    public static void main(String[] args) throws IOException {
        sink = written().length();
        sink = stacked();
        sink = cleared();
        sink = viewed() ? 1 : 0;
        sink = wrapped();
        sink = layered().length();
        sink = doubly();
        sink = copied();
    }
}
