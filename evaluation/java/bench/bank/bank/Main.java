package bank;

import bank.accounts.Account;
import java.util.ArrayList;
import java.util.List;

/**
 * A simulation of a bank that does little but call: each step looks up two accounts in a map, withdraws from one, and pays into the
 * other if the first held enough. About 45 % of the steps end by an exception, made and thrown as a program would ordinarily do it.
 *
 * <p>Arguments: steps, and threads (1 if left out), each with a bank of its own and as many steps. Prints {@code work-ns N},
 * the time of the steps from the first to the last thread's end, and {@code checksum N}, which depends on the arguments only.
 */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) throws InterruptedException {
        int steps = Integer.parseInt(args[0]);
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        List<Simulation> simulations = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            simulations.add(new Simulation(i, steps));
        }
        long start = System.nanoTime();
        List<Thread> others = new ArrayList<>();
        for (Simulation simulation : simulations.subList(1, threads)) {
            others.add(new Thread(simulation, "teller " + others.size()));
        }
        others.forEach(Thread::start);
        simulations.get(0).run();
        for (Thread thread : others) {
            thread.join();
        }
        System.out.println("work-ns " + (System.nanoTime() - start));
        long checksum = 0;
        for (Simulation simulation : simulations) {
            checksum = 31 * checksum + simulation.checksum();
        }
        System.out.println("checksum " + checksum);
    }

    /** A bank, and what happens in it. */
    private static final class Simulation implements Runnable {
        private static final int ACCOUNTS = 1_000;
        private static final int OPENING_BALANCE = 1_000;
        /** Against the balances, so that in the long run 45 % of the withdrawals are refused. */
        private static final int LARGEST_AMOUNT = 1_375;

        private final Bank bank = new Bank();
        private final int steps;
        private long random;
        private long refused;

        Simulation(int seed, int steps) {
            this.random = 0x5DEECE66DL + seed;
            this.steps = steps;
            for (int id = 0; id < ACCOUNTS; id++) {
                bank.open(new Account(id, OPENING_BALANCE));
            }
        }

        @Override
        public void run() {
            for (int i = 0; i < steps; i++) {
                // A linear congruential generator; its higher bits are the better ones.
                random = random * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
                int from = (int) ((random >>> 54) % ACCOUNTS);
                int to = (int) ((random >>> 44 & 1023) % ACCOUNTS);
                try {
                    bank.transfer(from, to, 1 + (int) ((random >>> 30 & 16383) % LARGEST_AMOUNT));
                } catch (InsufficientFunds e) {
                    refused += e.missing();
                }
            }
        }

        long checksum() {
            return 31 * bank.checksum() + refused;
        }
    }
}
