package gson1013;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.internal.bind.JsonTreeReader;

/** Reads a tree, and skips a whole one. */
public class Gson1013 {
    private Gson1013() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws Exception {
        JsonObject order = new JsonObject();
        order.addProperty("id", 7);
        JsonArray items = new JsonArray();
        items.add("pen");
        items.add("ink");
        order.add("items", items);
        JsonTreeReader reader = new JsonTreeReader(order);
        reader.beginObject();
        System.out.println(reader.nextName() + " " + reader.nextInt() + " " + reader.getPath());
        reader.nextName();
        reader.skipValue();
        reader.endObject();
        System.out.println(reader.peek());
        JsonTreeReader whole = new JsonTreeReader(order);
        whole.skipValue();
    }
}
