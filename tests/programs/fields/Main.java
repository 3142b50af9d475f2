package fields;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;

/** Not observed: accesses fields of the gauge by instructions, by reflection and by handles, and prints what it sees. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        instructions();
        reflection();
        handles();
        names();
    }

    /** By instructions: instance, hidden and static fields, arrays, and an inner class. */
    private static void instructions() {
        Gauge gauge = new Gauge(1);
        gauge.value = 10;
        ((Meter) gauge).value = 20;
        Gauge.made++;
        Gauge.limits = new int[] {7, 8};
        gauge.new Hand().turn(5);
        System.out.println(gauge.value + " " + ((Meter) gauge).value + " " + gauge.sum() + " " + gauge.limit());
    }

    /** By reflection: the fields of one name are distinguished, values have the field's type. */
    private static void reflection() throws Exception {
        Gauge gauge = new Gauge(2);
        Field own = Gauge.class.getDeclaredField("value");
        Field hidden = Meter.class.getDeclaredField("value");
        own.setInt(gauge, 30);
        hidden.set(gauge, 40);
        System.out.println(own.get(gauge) + " " + hidden.getDouble(gauge));
        Field ticks = Gauge.class.getDeclaredField("ticks");
        ticks.setLong(gauge, (1L << 62) + 1);
        System.out.println(ticks.getFloat(gauge));
        Field made = Gauge.class.getDeclaredField("made");
        made.setShort(null, (short) 50);
        System.out.println(made.getLong(null));
        try {
            own.set(gauge, "no number");
        } catch (IllegalArgumentException e) {
            System.out.println("refused");
        }
        gauge.setBy(own, 60);
        Field other = Unit.class.getDeclaredField("value");
        other.set(new Unit(1), 70);
    }

    /** By handles: reads, writes, and reads and writes in one. */
    private static void handles() throws Exception {
        Gauge gauge = new Gauge(3);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle ticks = lookup.findVarHandle(Gauge.class, "ticks", long.class);
        VarHandle state = lookup.findVarHandle(Gauge.class, "state", Object.class);
        ticks.setRelease(gauge, 101);
        long read = (long) ticks.getVolatile(gauge);
        boolean done = ticks.compareAndSet(gauge, 101L, 102L);
        boolean failed = ticks.compareAndSet(gauge, 101L, 103L);
        long before = (long) ticks.getAndAdd(gauge, 10L);
        ticks.getAndAdd(gauge, 20L);
        long witness = (long) ticks.compareAndExchange(gauge, 132L, 133L);
        long stale = (long) ticks.compareAndExchange(gauge, 1L, 2L);
        long bits = (long) ticks.getAndBitwiseXor(gauge, 1L);
        state.set(gauge, "idle");
        Object old = state.getAndSet(gauge, "busy");
        System.out.println(read + " " + done + failed + " " + before + " " + witness + " " + stale + " " + bits + " " + old
            + " " + gauge.ticks + " " + gauge.state);
    }

    /** Reflective objects handed to observed code. */
    private static void names() throws Exception {
        Gauge gauge = new Gauge(4);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        gauge.keep(Gauge.class.getDeclaredField("state"));
        gauge.keep(Gauge.class.getDeclaredMethod("keep", Object.class));
        gauge.keep(Gauge.class.getDeclaredConstructor(int.class));
        gauge.keep(lookup.findVarHandle(Gauge.class, "state", Object.class));
        gauge.keep(lookup.findStaticVarHandle(Gauge.class, "made", int.class));
        gauge.keep(lookup.findVirtual(Gauge.class, "sum", MethodType.methodType(int.class)));
        gauge.keep(java.util.concurrent.atomic.AtomicLongFieldUpdater.newUpdater(Gauge.class, "ticks"));
        gauge.keep(MethodHandles.arrayElementVarHandle(int[].class));
    }
}
