package table;

import java.util.Map;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.value.Value;
import org.h2.value.ValueInteger;
import org.h2.value.ValueVarchar;

/** H2's store in memory, and its values: maps that are filled, changed and rolled back, and a conversion that fails. */
public final class Main {
    private Main() {
    }

    /** Ends by a DbException. */
    public static void main(String[] args) {
        MVStore store = MVStore.open(null);
        store.setAutoCommitDelay(0);
        MVMap<Integer, String> names = store.openMap("names");
        for (int i = 0; i < 60; i++) {
            names.put(i * 7 % 61, "name " + i);
        }
        store.commit();
        names.remove(14);
        System.out.println(names.size() + " " + names.firstKey() + " " + names.ceilingKey(14));
        store.rollback();
        int length = 0;
        for (Map.Entry<Integer, String> entry : names.entrySet()) {
            length += entry.getValue().length();
        }
        System.out.println(names.get(14) + " " + length);
        Value sum = ValueInteger.get(40).add(ValueInteger.get(2));
        System.out.println(sum.getString() + sum.compareTo(ValueInteger.get(7), null, null));
        System.out.println(ValueVarchar.get("forty-two").getInt());
    }
}
