package jacksoncore173;

import com.fasterxml.jackson.core.JsonPointer;

/** Compiles paths into documents. */
public class JacksonCore173 {
    private JacksonCore173() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (String path : new String[] {"/a/1", "/Image/15/name", "/a~1b/x", "/1e0"}) {
            JsonPointer pointer = JsonPointer.compile(path);
            System.out.println(pointer.getMatchingProperty() + " " + pointer.getMatchingIndex() + " " + pointer.tail());
        }
    }
}
