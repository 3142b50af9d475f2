package beans;

import com.google.gson.Gson;

/** Not observed: reads an order from JSON and writes it again. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        String text = "{\"customer\":\"Ada\",\"count\":3,\"number\":12345678901,\"price\":2.5,\"urgent\":true,\"rebate\":1,"
            + "\"codes\":[4,5],\"notes\":[\"a\",\"b\"],\"previous\":{\"customer\":\"Bob\",\"codes\":[],\"notes\":[]}}";
        Order order = new Gson().fromJson(text, Order.class);
        System.out.println(order.customer() + " " + order.total());
        System.out.println(new Gson().toJson(order).equals(text));
    }
}
