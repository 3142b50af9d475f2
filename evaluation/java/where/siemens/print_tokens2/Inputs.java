package siemens.print_tokens2;

import java.util.List;
import siemens.Subject;

/** Texts of tokens, some of them wrong. */
public final class Inputs implements Subject {
    @Override
    public List<String> inputs() {
        return siemens.print_tokens.Inputs.texts(10);
    }

    @Override
    public String run(String input) {
        return new PrintTokens2(input).run();
    }
}
