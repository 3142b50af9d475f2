package mocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.ObjectStreamClass;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.mockito.MockedStatic;

/** Tests that have the observed class {@link Till} retransformed again and again, and use it for real in between and afterwards. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MockingTest {
    @Test
    @Order(1)
    void beforeAnybodyMocks() {
        realCalls();
    }

    @Test
    @Order(2)
    void aFinalClassIsMocked() {
        Till till = mock(Till.class);
        when(till.add(5)).thenReturn(42);
        assertEquals(42, till.add(5));
        verify(till).add(5);
        realCalls();
    }

    @Test
    @Order(3)
    void aStaticMethodIsMocked() {
        try (MockedStatic<Till> rates = mockStatic(Till.class)) {
            rates.when(() -> Till.percent(100)).thenReturn(7);
            assertEquals(7, Till.percent(100));
        }
        assertEquals(20, Till.percent(100));
        realCalls();
    }

    @Test
    @Order(4)
    void aSpyCallsTheRealMethod() {
        Till till = spy(new Till());
        assertEquals(3, till.add(3));
        doThrow(new IllegalStateException("full")).when(till).add(1);
        assertThrows(IllegalStateException.class, () -> till.add(1));
        realCalls();
    }

    @Test
    @Order(5)
    void theClassIsRetransformedByHand() throws Exception {
        for (int n = 0; n < 20; n++) {
            ByteBuddyAgent.install().retransformClasses(Till.class);
        }
        realCalls();
    }

    @Test
    @Order(6)
    void aClassOfTheSameNameInAnotherLoader() throws Exception {
        URL classes = Till.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes}, null)) {
            Class<?> other = loader.loadClass(Till.class.getName());
            ByteBuddyAgent.install().retransformClasses(other);
            Constructor<?> constructor = other.getDeclaredConstructor();
            Method add = other.getDeclaredMethod("add", int.class);
            constructor.setAccessible(true);
            add.setAccessible(true);
            assertEquals(1002, add.invoke(constructor.newInstance(), 1002));
        }
        realCalls();
    }

    @Test
    @Order(7)
    void aClassThatCarriesIdentitiesIsMockedAndShowsNothingOfThem() throws Exception {
        realCalls();
        Purse drawer = new Drawer(10);
        assertEquals(10, new Till().addAll(drawer));
        Instrumentation instrumentation = ByteBuddyAgent.install();
        assertEquals(instrumentation.getObjectSize(new Sock(10)) + Long.BYTES, instrumentation.getObjectSize(drawer));
        assertEquals(1, Drawer.class.getDeclaredFields().length);
        assertEquals(1, ObjectStreamClass.lookup(Drawer.class).getFields().length);
        Drawer mocked = mock(Drawer.class);
        when(mocked.coins()).thenReturn(42);
        assertEquals(42, new Till().addAll(mocked));
        instrumentation.retransformClasses(Drawer.class);
        assertEquals(10, new Till().addAll(drawer));
    }

    /** The arguments are found in the trace: 1000 and 1001. */
    private static void realCalls() {
        Till till = new Till();
        assertEquals(1000, till.add(1000));
        assertEquals(2001, till.add(1001));
    }
}
