package jinsi.replay;

import java.lang.invoke.MethodHandles;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * Does from within a test's class loader what the JDK allows only to classes of that loader. Each {@link ReplayLoader} defines it anew; the
 * worker reaches it by reflection.
 */
public final class Insider {
    private Insider() {
    }

    /** For methods that look at who calls them: with this, a class of the test's loader does. */
    public static MethodHandles.Lookup lookup() {
        return MethodHandles.lookup();
    }

    /**
     * Makes the database drivers of the program's libraries known. The JDK looks for them once, when the first test asks; later tests have
     * their own classes of them.
     */
    public static void registerDrivers() {
        Iterator<Driver> drivers = ServiceLoader.load(Driver.class, Insider.class.getClassLoader()).iterator();
        boolean more = true;
        while (more) {
            try {
                more = drivers.hasNext();
                if (more) {
                    drivers.next();
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                // The JDK leaves out a driver that does not load, too.
                more = true;
            }
        }
    }

    /** Takes them back, so that the test's classes can go. */
    public static void forgetDrivers() {
        List<Driver> own = DriverManager.drivers()
                .filter(driver -> driver.getClass().getClassLoader() == Insider.class.getClassLoader())
                .collect(Collectors.toList());
        for (Driver driver : own) {
            try {
                DriverManager.deregisterDriver(driver);
            } catch (SQLException | RuntimeException e) {
                // One that does not want to go stays.
                continue;
            }
        }
    }
}
