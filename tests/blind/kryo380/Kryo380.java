package kryo380;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objenesis.strategy.StdInstantiatorStrategy;

/** Writes objects, and reads them again, at last one with a list in a field of a generic type. */
public class Kryo380 {
    private Kryo380() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Kryo kryo = new Kryo();
        kryo.setRegistrationRequired(false);
        kryo.setInstantiatorStrategy(new StdInstantiatorStrategy());
        kryo.register(D.class);
        D d = new D();
        System.out.println(copy(kryo, d).map);
        d.map.put("C", new C(2, Arrays.asList(1, 2, 3)));
        System.out.println(copy(kryo, d).map.keySet());
    }

    private static D copy(Kryo kryo, D d) {
        Output out = new Output(new ByteArrayOutputStream());
        kryo.writeObject(out, d);
        Input in = new Input();
        in.setBuffer(out.toBytes());
        return kryo.readObject(in, D.class);
    }

    /** Has a number. */
    abstract static class A {
        final int a;

        A(int a) {
            this.a = a;
        }
    }

    /** Has something of a type that is not known here. */
    abstract static class B<T> extends A {
        final T b;

        B(int a, T b) {
            super(a);
            this.b = b;
        }
    }

    /** Has a list. */
    static class C extends B<List<Integer>> {
        C(int a, List<Integer> b) {
            super(a, b);
        }
    }

    /** Has all of them, by name. */
    static class D {
        final Map<String, A> map = new HashMap<>();
    }
}
