package edges.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/** The JDK's stream does the reading, and asks this class which classes are meant. */
final class LeafReader extends ObjectInputStream {
    LeafReader(InputStream in) throws IOException {
        super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass described) throws ClassNotFoundException {
        return Class.forName(described.getName(), false, LeafReader.class.getClassLoader());
    }
}
