package suite;

import jinsi.listener.JUnit4Listener;
import org.junit.runner.JUnitCore;

/** Runs the tests as Surefire does for JUnit 4, with jinsi's listener; the exit status is the number of failures. */
public class RunJUnit4 {
    public static void main(String[] args) {
        JUnitCore core = new JUnitCore();
        core.addListener(new JUnit4Listener());
        System.exit(core.run(StockJUnit4Test.class).getFailureCount());
    }
}
