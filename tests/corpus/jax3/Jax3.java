package jax3;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jaxen.Context;
import org.jaxen.ContextSupport;
import org.jaxen.SimpleNamespaceContext;
import org.jaxen.SimpleVariableContext;
import org.jaxen.XPathFunctionContext;
import org.jaxen.dom.DocumentNavigator;

/** Reads node sets through a cursor that relies on the position of the context. */
public class Jax3 {
    private Jax3() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        ContextSupport support = new ContextSupport(new SimpleNamespaceContext(), XPathFunctionContext.getInstance(),
            new SimpleVariableContext(), DocumentNavigator.getInstance());
        Cursor cursor = new Cursor(new Context(support));
        cursor.read(new ArrayList<String>(Arrays.asList("a", "b", "c")));
        for (int position = 1; position <= 3; position++) {
            cursor.move(position);
            System.out.println(cursor.current());
        }
        cursor.read(new ArrayList<String>(Arrays.asList("d")));
        System.out.println(cursor.current());
    }

    /** The current node of a context. */
    static final class Cursor {
        private final Context context;

        Cursor(Context context) {
            this.context = context;
        }

        void read(List<String> nodes) {
            context.setNodeSet(nodes);
        }

        void move(int position) {
            context.setPosition(position);
        }

        Object current() {
            return context.getNodeSet().get(context.getPosition() - 1);
        }
    }
}
