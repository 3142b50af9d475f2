package linked;

/**
 * Ends by a NoSuchElementException that commons-collections throws for an empty map, in a method that Recent inherits. Not observed itself.
 */
class Main {
    public static void main(String[] args) {
        Recent recent = new Recent();
        for (String name : new String[] {"a", "b", " a", "c"}) {
            System.out.println(recent.used(name) + " " + recent.firstKey() + " " + recent.lastKey());
        }
        recent.remove("b");
        System.out.println(recent + " " + recent.containsValue(2));
        recent.clear();
        System.out.println(recent.firstKey());
    }
}
