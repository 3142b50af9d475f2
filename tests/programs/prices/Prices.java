package prices;

/** Prices of goods; what costs 100 should have a discount, and has none. */
public class Prices {
    static int rate() {
        return Integer.getInteger("rate", 5);
    }

    static int tax(int net) {
        return net / 5;
    }

    static int discount(int net) {
        return net > 100 ? 10 : 0;
    }

    static int total(int net) {
        return net + tax(net) - discount(net);
    }

    static int[] all(int[] nets) {
        int[] totals = new int[nets.length];
        for (int i = 0; i < nets.length; i++) {
            totals[i] = total(nets[i]);
        }
        return totals;
    }

    public static void main(String[] args) {
        int[] nets = new int[args.length];
        for (int i = 0; i < args.length; i++) {
            nets[i] = Integer.parseInt(args[i]);
        }
        System.setProperty("rate", args[0]);
        rate();
        for (int total : all(nets)) {
            System.out.println(total);
        }
    }
}
