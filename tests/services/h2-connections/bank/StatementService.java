package bank;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Statements of accounts. */
public class StatementService {
    private final DataSource source;
    private final AccountRepository accounts;
    private final BookingRepository bookings;

    public StatementService(DataSource source, AccountRepository accounts, BookingRepository bookings) {
        this.source = source;
        this.accounts = accounts;
        this.bookings = bookings;
    }

    public AccountStatement statement(long id) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setAutoCommit(false);
            Account account = accounts.find(connection, id, false).orElseThrow();
            List<Booking> all = bookings.ofAccount(connection, id);
            connection.commit();
            long sum = all.stream().mapToLong(Booking::cents).sum();
            if (account.opened() + sum != account.balance()) {
                throw new IllegalStateException("account " + id + " is out of balance");
            }
            Map<String, Long> byText = all.stream()
                    .collect(Collectors.groupingBy(Booking::text, TreeMap::new, Collectors.summingLong(Booking::cents)));
            return new AccountStatement(id, account.owner(), account.balance(), all.size(), byText);
        }
    }
}
