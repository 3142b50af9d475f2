package baskets;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** What its objects hold are containers of the JDK's. */
public class Baskets {
    /** A list that is more than one. */
    static class Basket extends ArrayList<String> {
        private final int limit;

        Basket(int limit) {
            super(2);
            this.limit = limit;
        }

        boolean put(String what) {
            return size() < limit && add(what);
        }

        int list(StringBuilder to) {
            int before = to.length();
            for (Iterator<String> all = iterator(); all.hasNext();) {
                to.append(all.next()).append(';');
            }
            return to.length() - before;
        }
    }

    private final Map<String, List<Integer>> prices = new HashMap<>();
    private final Deque<Basket> paid = new ArrayDeque<>();
    private final char[] label = new char[8];

    void price(String what, int price) {
        prices.computeIfAbsent(what, none -> new ArrayList<>()).add(price);
    }

    int cheapest(String what) {
        List<Integer> all = new ArrayList<>(prices.get(what));
        Collections.sort(all);
        return all.get(all.size() - 1);
    }

    int pay(Basket basket) {
        int sum = 0;
        for (String what : basket) {
            sum += cheapest(what);
        }
        paid.push(basket);
        return sum;
    }

    int label() {
        StringBuilder text = new StringBuilder("#");
        int length = paid.peek().list(text);
        text.getChars(0, Math.min(length, label.length), label, 0);
        return length;
    }

    public static void main(String[] args) {
        Baskets baskets = new Baskets();
        baskets.price("tea", 7);
        baskets.price("tea", 5);
        baskets.price("bread", 3);
        Basket basket = new Basket(3);
        for (String what : new String[] {"tea", "bread", "tea", "salt"}) {
            basket.put(what);
        }
        int sum = baskets.pay(basket);
        System.out.println(baskets.label() + " " + sum + baskets.label[4]);
    }
}
