package fares;

/** Sells many tickets, and fails when it asks for a share of one counter. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Counter early = new Counter("south");
        for (int ticket = 0; ticket < 20; ticket++) {
            early.sell(new Zone(ticket % 3), 200 + ticket);
        }
        System.out.println(early.share(new Zone(1)));
        Counter late = Counter.open("north");
        System.out.println(late);
        System.out.println(late.share(new Zone(9)));
    }
}
