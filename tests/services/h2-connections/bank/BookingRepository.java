package bank;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

public class BookingRepository {
    public void insert(Connection connection, long account, long cents, String text) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("insert into booking (account, cents, text) values (?, ?, ?)")) {
            statement.setLong(1, account);
            statement.setLong(2, cents);
            statement.setString(3, text);
            statement.executeUpdate();
        }
    }

    public List<Booking> ofAccount(Connection connection, long account) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select id, cents, text from booking where account = ? order by id")) {
            statement.setLong(1, account);
            List<Booking> bookings = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    bookings.add(new Booking(rows.getLong(1), rows.getLong(2), rows.getString(3)));
                }
            }
            return bookings;
        }
    }
}
