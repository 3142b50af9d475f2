package tellers;

import java.util.ArrayList;
import java.util.List;
import tellers.accounts.Account;

/** Many tellers' work on many accounts. Then one is closed: for its own sake, as the last of all, or with all. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        int steps = Integer.parseInt(args[0]);
        List<Account> accounts = new ArrayList<>();
        for (int id = 0; id < 1_000; id++) {
            accounts.add(new Account(id));
        }
        for (int i = 0; i < steps; i++) {
            accounts.get(i % accounts.size()).deposit(i % 99_991 == 7 ? 1 : 0);
        }
        Account account = accounts.get(7);
        switch (args[1]) {
            case "own":
                account.close();
                break;
            case "last":
                account.closeLast();
                break;
            default:
                account.closeAll();
                break;
        }
    }
}
