package flights;

import java.sql.Connection;
import java.sql.Statement;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;

/** Prints journeys between two airports. */
public class Main {
    public static void main(String[] args) throws Exception {
        PooledDataSource source = new PooledDataSource("org.h2.Driver", "jdbc:h2:mem:flights;DB_CLOSE_DELAY=-1", "sa", "");
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
            statement.execute("create table flight(number varchar, origin varchar, target varchar, departs int, minutes int)");
            statement.execute("insert into flight values ('LX10', 'ZRH', 'VIE', 420, 85), ('LX12', 'ZRH', 'VIE', 900, 85),"
                    + "('OS87', 'VIE', 'JFK', 610, 570), ('OS91', 'VIE', 'IAD', 640, 590)");
        }
        Configuration configuration = new Configuration(new Environment("main", new JdbcTransactionFactory(), source));
        configuration.addMapper(FlightMapper.class);
        SqlSessionFactory factory = new SqlSessionFactoryBuilder().build(configuration);
        try (SqlSession session = factory.openSession()) {
            Journeys journeys = new Journeys(session.getMapper(FlightMapper.class));
            System.out.println(journeys.describe("ZRH", "VIE", "JFK"));
            System.out.println(journeys.describe("ZRH", "VIE", "LHR"));
        }
    }
}
