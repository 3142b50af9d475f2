package bank;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

public class TransferService {
    private static final int ATTEMPTS = 5;

    private final AtomicLong retries = new AtomicLong();
    private final DataSource source;
    private final AccountRepository accounts;
    private final BookingRepository bookings;
    private final Fees fees;

    public TransferService(DataSource source, AccountRepository accounts, BookingRepository bookings, Fees fees) {
        this.source = source;
        this.accounts = accounts;
        this.bookings = bookings;
        this.fees = fees;
    }

    public void open(long id, String owner, long cents) throws SQLException {
        inTransaction(connection -> {
            accounts.insert(connection, new Account(id, owner, cents, cents));
            return null;
        });
    }

    /** Moves money; false if there is too little of it. */
    public boolean transfer(long from, long to, long cents, String text) throws SQLException {
        long fee = fees.of(from, cents);
        return inTransaction(connection -> {
            boolean first = from <= to;
            Account one = account(connection, first ? from : to);
            Account other = account(connection, first ? to : from);
            Account payer = first ? one : other;
            Account payee = first ? other : one;
            if (payer.balance() < cents + fee) {
                return false;
            }
            accounts.setBalance(connection, from, payer.balance() - cents - fee);
            accounts.setBalance(connection, to, payee.balance() + cents);
            bookings.insert(connection, from, -cents - fee, text);
            bookings.insert(connection, to, cents, text);
            return true;
        });
    }

    private Account account(Connection connection, long id) throws SQLException {
        return accounts.find(connection, id, true).orElseThrow(() -> new IllegalArgumentException("no account " + id));
    }

    private <T> T inTransaction(Work<T> work) throws SQLException {
        for (int attempt = 1;; attempt++) {
            try (Connection connection = source.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    T result = work.with(connection);
                    connection.commit();
                    return result;
                } catch (SQLException e) {
                    connection.rollback();
                    if (attempt == ATTEMPTS) {
                        throw e;
                    }
                    retries.incrementAndGet();
                }
            }
        }
    }

    private interface Work<T> {
        T with(Connection connection) throws SQLException;
    }
}
