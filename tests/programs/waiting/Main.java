package waiting;

import java.io.IOException;

/** Does something, says so, and goes on when it is instructed to. */
public final class Main {
    private int total;

    private Main() {}

    private void add(int amount) {
        total += amount;
    }

    public static void main(String[] args) throws IOException {
        Main main = new Main();
        main.add(2);
        System.out.println("ready");
        System.in.read();
        main.add(3);
        System.out.println(main.total);
    }
}
