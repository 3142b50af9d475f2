package queried;

import java.util.ArrayList;
import java.util.List;

/** What the queries with names are asked about: inherited and unwritten fields, calls within calls, an exception that is caught further up. */
public class Bank {
    static class Thing {
        protected String owner;
    }

    static class Account extends Thing {
        static int made;
        int balance;
        long limit;
        boolean frozen;

        Account(String owner, int balance) {
            this.owner = owner;
            this.balance = balance;
            made++;
        }

        int add(int amount) {
            int before = balance;
            balance = sum(before, amount);
            return balance;
        }

        static int sum(int one, int other) {
            return checked(one) + other;
        }

        static int checked(int amount) {
            if (amount < 0) {
                throw new IllegalStateException("below zero");
            }
            return amount;
        }
    }

    static int tried(Account account) {
        try {
            return account.add(5);
        } catch (IllegalStateException e) {
            return -1;
        }
    }

    public static void main(String[] args) {
        Account first = new Account(args.length > 0 ? args[0] : "ann", 10);
        Account second = new Account("bob", -7);
        List<Integer> sums = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sums.add(first.add(i));
        }
        int[] both = new int[2];
        both[0] = tried(second);
        both[1] = tried(first);
        System.out.println(sums + " " + both[0] + " " + both[1]);
        if (args.length < 2) {
            throw new UnsupportedOperationException("the end");
        }
    }
}
