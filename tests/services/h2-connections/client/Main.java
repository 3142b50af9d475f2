package client;

import bank.AccountStatement;
import bank.Bank;
import load.Load;

/** Opens accounts, and moves money between them. */
public final class Main {
    private static final int ACCOUNTS = 200;
    private static final String[] TEXTS = {"rent", "wages", "gift", "insurance"};

    private Main() {}

    public static void main(String[] args) throws Exception {
        Bank bank = new Bank("jdbc:h2:mem:bank;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000");
        for (int i = 0; i < ACCOUNTS; i++) {
            bank.transfers().open(i, "owner " + i, 100_000);
        }
        Load.run(args, number -> new Customer(bank));
        System.exit(0);
    }

    private record Customer(Bank bank) implements Load.Client {
        @Override
        public boolean good(int n) throws Exception {
            if (n % 10 == 9) {
                AccountStatement statement = bank.statements().statement(n / 10 * 7 % (ACCOUNTS - 1));
                return statement.balance() >= 0;
            }
            int from = n * 31 % (ACCOUNTS - 1);
            int to = (from + 1 + n % 50) % (ACCOUNTS - 1);
            bank.transfers().transfer(from, to, 100 + n % 900, TEXTS[n % 4]);
            return true;
        }

        @Override
        public boolean bad() throws Exception {
            long own = ACCOUNTS - 1;
            bank.transfers().transfer(3, own, 500, "gift");
            bank.transfers().transfer(own, own, 300, "savings");
            try {
                bank.statements().statement(own);
                return false;
            } catch (IllegalStateException e) {
                return true;
            }
        }
    }
}
