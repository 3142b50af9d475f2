package sql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A shop in an H2 database in memory: orders are inserted, changed and deleted, and asked for with joins, groups and sorting.
 *
 * <p>Argument: how many rounds of all that. Prints {@code work-ns N}, {@code second-half-ns N} and {@code checksum N}.
 */
public final class Main {
    private static final int CUSTOMERS = 200;
    private static final int ORDERS_A_ROUND = 1_000;

    private long checksum;

    private Main() {
    }

    public static void main(String[] args) throws SQLException {
        int rounds = Integer.parseInt(args[0]);
        long start = System.nanoTime();
        long half = start;
        Main main = new Main();
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:shop")) {
            main.create(connection);
            for (int round = 0; round < rounds; round++) {
                if (round == rounds / 2) {
                    half = System.nanoTime();
                }
                main.insert(connection, round);
                main.change(connection, round);
                main.ask(connection);
            }
        }
        long end = System.nanoTime();
        System.out.println("work-ns " + (end - start));
        System.out.println("second-half-ns " + (end - half));
        System.out.println("checksum " + main.checksum);
    }

    private void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE customer(id INT PRIMARY KEY, name VARCHAR(40), city VARCHAR(20))");
            statement.execute("CREATE TABLE purchase(id INT PRIMARY KEY, customer INT REFERENCES customer(id), "
                + "amount DECIMAL(10, 2), note VARCHAR(60))");
            statement.execute("CREATE INDEX by_customer ON purchase(customer)");
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO customer VALUES(?, ?, ?)")) {
            for (int id = 0; id < CUSTOMERS; id++) {
                insert.setInt(1, id);
                insert.setString(2, "customer " + id);
                insert.setString(3, "city " + id % 17);
                insert.executeUpdate();
            }
        }
    }

    private void insert(Connection connection, int round) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO purchase VALUES(?, ?, ?, ?)")) {
            for (int i = 0; i < ORDERS_A_ROUND; i++) {
                int id = round * ORDERS_A_ROUND + i;
                insert.setInt(1, id);
                insert.setInt(2, id * 31 % CUSTOMERS);
                insert.setBigDecimal(3, java.math.BigDecimal.valueOf(id * 7919L % 100_000, 2));
                insert.setString(4, "order " + id + " of round " + round);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private void change(Connection connection, int round) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            checksum = 31 * checksum + statement.executeUpdate("UPDATE purchase SET amount = amount * 1.1, note = UPPER(note) "
                + "WHERE MOD(id, 10) = " + round % 10);
            checksum = 31 * checksum + statement.executeUpdate("DELETE FROM purchase WHERE MOD(id, 13) = " + round % 13);
        }
    }

    private void ask(Connection connection) throws SQLException {
        add(connection, "SELECT c.city, COUNT(*), SUM(p.amount) FROM purchase p JOIN customer c ON p.customer = c.id "
            + "WHERE p.note LIKE '%order%' GROUP BY c.city HAVING COUNT(*) > 3 ORDER BY c.city");
        add(connection, "SELECT id, note FROM purchase WHERE amount BETWEEN 100 AND 200 ORDER BY note DESC LIMIT 100");
        try (PreparedStatement find = connection.prepareStatement(
                "SELECT name, (SELECT MAX(amount) FROM purchase WHERE customer = c.id) FROM customer c WHERE id = ?")) {
            for (int id = 0; id < CUSTOMERS; id += 3) {
                find.setInt(1, id);
                add(find.executeQuery());
            }
        }
    }

    private void add(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            add(statement.executeQuery(query));
        }
    }

    private void add(ResultSet result) throws SQLException {
        try (ResultSet rows = result) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int column = 1; column <= columns; column++) {
                    checksum = 31 * checksum + String.valueOf(rows.getString(column)).hashCode();
                }
            }
        }
    }
}
