package jinsi.replay;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What two runs of a program have to show alike. */
final class MemoryGraphTest {
    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        check.test("memory graph: classes that the JVM makes up are named alike in each run", () -> {
            IntSupplier lambda = () -> 1;
            check.equal("jinsi.replay.MemoryGraphTest$$Lambda", MemoryGraph.lasting(lambda.getClass()));
            Object proxy = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {IntSupplier.class}, (p, m, a) -> 1);
            check.equal(proxy.getClass().getTypeName().replaceFirst("[0-9]+$", ""), MemoryGraph.lasting(proxy.getClass()));
            check.equal("jinsi.replay.Codes[]", MemoryGraph.lasting(Codes[].class));
        });
        return check.tests();
    }
}
