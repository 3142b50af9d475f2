package golden;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Sums up what a data base holds. */
final class OrderStatistics {
    float sumAllOrders(Statement stmt) throws SQLException {
        float sum = 0f;
        ResultSet rs = stmt.executeQuery("SELECT * FROM orders");
        while (rs.next()) {
            sum += rs.getFloat("ordertotal");
        }
        return sum;
    }
}
