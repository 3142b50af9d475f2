package books;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

/** Writes books as JSON, reads them again, and at last one that is no JSON. */
public final class Main {
    private Main() {
    }

    /** Ends by a JsonSyntaxException. */
    public static void main(String[] args) {
        Gson gson = new GsonBuilder().setPrettyPrinting().create();
        Book first = new Book("Replay", null, "Ada", "Grace");
        first.prices.put("EUR", 1950);
        String text = gson.toJson(new Book("Replay again", first, "Ada"));
        Book read = gson.fromJson(text, Book.class);
        System.out.println(read.before.authors + " " + read.before.prices);
        JsonObject tree = JsonParser.parseString(text).getAsJsonObject();
        tree.addProperty("pages", 120);
        System.out.println(tree.get("pages").getAsInt() + tree.getAsJsonArray("authors").size());
        gson.fromJson(text.replace("}", ""), Book.class);
    }
}
