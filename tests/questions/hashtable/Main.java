package hashtable;

/** Fills a table, and looks things up. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        HashTable table = new HashTable();
        table.put("one", 1);
        table.put("two", 2);
        table.put("three", 3);
        table.put("four", 4);
        table.put("five", 5);
        table.put("two", 22);
        boolean was = table.remove("three");
        boolean again = table.remove("three");
        System.out.println(table.get("one", 0));
        System.out.println(table.get("two", 0));
        System.out.println(table.get("three", 0));
        System.out.println(table.get("five", 0));
        System.out.println(table.size());
        System.out.println(was);
        System.out.println(again);
    }
}
