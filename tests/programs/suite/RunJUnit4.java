package suite;

import org.junit.runner.JUnitCore;

/** Runs the tests of a class with JUnit 4, which runs those of JUnit 3, too; the exit status is the number of failures. */
public class RunJUnit4 {
    public static void main(String[] args) throws ClassNotFoundException {
        JUnitCore core = new JUnitCore();
        System.exit(core.run(Class.forName(args[0])).getFailureCount());
    }
}
