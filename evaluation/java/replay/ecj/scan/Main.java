package scan;

import org.eclipse.jdt.internal.compiler.classfmt.ClassFileConstants;
import org.eclipse.jdt.core.compiler.InvalidInputException;
import org.eclipse.jdt.internal.compiler.parser.Scanner;
import org.eclipse.jdt.internal.compiler.parser.TerminalTokens;

/** The scanner of Eclipse's compiler reads sources, the last one with a string that has no end. */
public final class Main {
    private Main() {
    }

    /** Ends by an InvalidInputException. */
    public static void main(String[] args) throws InvalidInputException {
        System.out.println(tokens("class A { /* a */ int x = 0x1F + 'c'; // b\n double d = 1.5e3; String s = \"t\\n\"; }"));
        System.out.println(tokens("interface B<T extends A> { @Deprecated default void m(int... i) { i[0] >>>= 2; } }"));
        System.out.println(tokens("class C { String s = \"open; }"));
    }

    private static int tokens(String source) throws InvalidInputException {
        Scanner scanner = new Scanner(true, false, false, ClassFileConstants.JDK17, null, null, true);
        scanner.setSource(source.toCharArray());
        int sum = 0;
        for (int token = scanner.getNextToken(); token != TerminalTokens.TokenNameEOF;) {
            sum = 31 * sum + token + scanner.getCurrentTokenSource().length;
            token = scanner.getNextToken();
        }
        return sum;
    }
}
