package bank;

import bank.accounts.Account;
import java.util.HashMap;
import java.util.Map;

/** Accounts by their numbers. */
final class Bank {
    private final Map<Integer, Account> accounts = new HashMap<>();
    private long transfers;
    private long refused;

    void open(Account account) {
        accounts.put(account.id(), account);
    }

    /** Moves an amount from one account to another. */
    void transfer(int from, int to, int amount) throws InsufficientFunds {
        Account source = accounts.get(from);
        Account target = accounts.get(to);
        if (!source.withdraw(amount)) {
            refused++;
            throw new InsufficientFunds(amount - source.balance());
        }
        target.deposit(amount);
        transfers++;
        source.lastTransfer = transfers;
        target.lastTransfer = transfers;
    }

    long checksum() {
        long sum = 31 * transfers + refused;
        for (int id = 0; id < accounts.size(); id++) {
            sum = 31 * sum + accounts.get(id).balance() + accounts.get(id).lastTransfer;
        }
        return sum;
    }
}
