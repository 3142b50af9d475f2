package coll701;

import java.util.LinkedList;
import org.apache.commons.collections4.list.SetUniqueList;

/** Adds to a list, at last the list itself. */
public class Coll701 {
    private Coll701() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        SetUniqueList<Object> list = SetUniqueList.setUniqueList(new LinkedList<Object>());
        list.add("Hello");
        list.add("World");
        list.add("Hello");
        System.out.println(list);
        list.add(list);
        System.out.println(list.size());
    }
}
