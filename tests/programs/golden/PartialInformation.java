package golden;

import java.io.IOException;
import java.nio.file.Paths;
import java.sql.SQLException;

/** The listings on partial information. The argument is the file that is the data base. Fails in the end, with all results. */
final class PartialInformation {
    private PartialInformation() {}

    public static void main(String[] args) throws IOException, SQLException {
        boolean found = Search.hasPositiveElement(new LazySet());
        float sum = new OrderStatistics().sumAllOrders(Database.open(Paths.get(args[0])));
        new Report(found, sum).check(new Observed().getTimeZoneName());
    }
}
