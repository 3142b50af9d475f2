package bank;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

public class AccountRepository {
    public void insert(Connection connection, Account account) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("insert into account values (?, ?, ?, ?)")) {
            statement.setLong(1, account.id());
            statement.setString(2, account.owner());
            statement.setLong(3, account.balance());
            statement.setLong(4, account.opened());
            statement.executeUpdate();
        }
    }

    public Optional<Account> find(Connection connection, long id, boolean forUpdate) throws SQLException {
        String sql = "select owner, balance, opened from account where id = ?" + (forUpdate ? " for update" : "");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return Optional.empty();
                }
                return Optional.of(new Account(id, rows.getString("owner"), rows.getLong("balance"), rows.getLong("opened")));
            }
        }
    }

    public void setBalance(Connection connection, long id, long balance) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("update account set balance = ? where id = ?")) {
            statement.setLong(1, balance);
            statement.setLong(2, id);
            statement.executeUpdate();
        }
    }
}
