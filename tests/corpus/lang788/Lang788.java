package lang788;

import java.io.Serializable;
import java.util.ArrayList;
import org.apache.commons.lang3.SerializationUtils;

/** Clones lists of classes. */
public class Lang788 {
    private Lang788() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        ArrayList<Serializable> signature = new ArrayList<Serializable>();
        signature.add(String.class);
        System.out.println(SerializationUtils.clone(signature));
        signature.add(int.class);
        System.out.println(SerializationUtils.clone(signature));
    }
}
