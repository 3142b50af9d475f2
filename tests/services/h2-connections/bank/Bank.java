package bank;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Puts the bank together. */
public final class Bank {
    private final DataSource source;
    private final TransferService transfers;
    private final StatementService statements;

    public Bank(String url) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(6);
        source = new HikariDataSource(config);
        createTables();
        AccountRepository accounts = new AccountRepository();
        BookingRepository bookings = new BookingRepository();
        transfers = new TransferService(source, accounts, bookings, new Fees());
        statements = new StatementService(source, accounts, bookings);
    }

    public TransferService transfers() {
        return transfers;
    }

    public StatementService statements() {
        return statements;
    }

    private void createTables() throws SQLException {
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("create table account (id bigint primary key, owner varchar(80), balance bigint not null, opened bigint not null)");
            statement.execute("create table booking (id bigint auto_increment primary key, account bigint not null, cents bigint not null, text varchar(80))");
            statement.execute("create index booking_account on booking (account)");
        }
    }
}
