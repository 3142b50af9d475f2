package dbutils110;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.emptyArray;
import static org.hamcrest.Matchers.is;

import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.commons.dbutils.ResultSetHandler;
import org.apache.commons.dbutils.handlers.ArrayHandler;

/** Takes the first row of a result that has none. */
public class Dbutils110 {
    private Dbutils110() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws SQLException {
        ResultSet empty = (ResultSet) Proxy.newProxyInstance(Dbutils110.class.getClassLoader(), new Class<?>[] {ResultSet.class},
            (proxy, method, arguments) -> {
                if (method.getName().equals("next")) {
                    return false;
                }
                throw new SQLException("no row");
            });
        ResultSetHandler<Object[]> handler = new ArrayHandler();
        Object[] results = handler.handle(empty);
        assertThat(results, is(emptyArray()));
    }
}
