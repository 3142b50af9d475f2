package harbour;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** A crane that does not see how full it is. Copies are made by serialization, which no recording of the boundary can compute again. */
public final class Crane implements Serializable {
    private static final long serialVersionUID = 1;

    private final int most;
    private int load;

    public Crane(int most) {
        this.most = most;
    }

    public void lift(int tons) {
        load += tons;
    }

    /** A crane that has lifted as much. */
    public Crane copy() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(this);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (Crane) in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How often a cargo is moved. The defect: a full crane moves nothing. */
    public int turns(int cargo) {
        return cargo / (most - load);
    }
}
