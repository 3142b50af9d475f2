package coll586;

import java.util.SortedMap;
import org.apache.commons.collections4.trie.PatriciaTrie;

/** Takes all names that begin alike out of a trie. */
public class Coll586 {
    private Coll586() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        PatriciaTrie<Integer> names = new PatriciaTrie<Integer>();
        for (String name : new String[] {"Anna", "Anael", "Analu", "Andreas", "Andrea", "Andres", "Anatole"}) {
            names.put(name, name.length());
        }
        System.out.println(names.firstKey() + " " + names.nextKey("Andrea") + " " + names.size());
        SortedMap<String, Integer> some = names.prefixMap("Andr");
        System.out.println(some);
        some.clear();
        System.out.println(names);
    }
}
