package timesheet;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Prints the hours of a week, and what is above the contract. */
public class Main {
    public static void main(String[] args) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:hours")) {
            DSLContext sql = DSL.using(connection, SQLDialect.H2);
            sql.execute("create table \"shift\"(\"person\" varchar, \"day\" int, \"hours\" int)");
            sql.execute("insert into \"shift\" values ('Kim', 1, 8), ('Kim', 2, 10), ('Kim', 4, 9),"
                    + "('Lou', 1, 7), ('Lou', 5, 6), ('Max', 7, 4)");
            Week week = new Week(40);
            for (String person : List.of("Kim", "Lou", "Max")) {
                List<Shift> shifts = sql.select(field(name("day")), field(name("hours")))
                        .from(table(name("shift")))
                        .where(field(name("person")).eq(person))
                        .orderBy(field(name("day")))
                        .fetchInto(Shift.class);
                System.out.println(person + " " + week.line(shifts) + " " + week.extra(shifts));
            }
        }
    }
}
