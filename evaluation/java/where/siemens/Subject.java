package siemens;

import java.util.List;

/** A program, and inputs for it. */
public interface Subject {
    /** All inputs, always the same ones. */
    List<String> inputs();

    /** What the program gives for an input. */
    String run(String input);
}
