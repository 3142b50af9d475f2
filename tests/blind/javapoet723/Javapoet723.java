package javapoet723;

import com.squareup.javapoet.CodeBlock;

/** Formats statements that name a class; the last one is in the default package. */
public class Javapoet723 {
    private Javapoet723() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws ClassNotFoundException {
        for (String name : new String[] {"java.lang.String", "java.util.Map", "ThatClass"}) {
            System.out.print(CodeBlock.builder().addStatement("$T", Class.forName(name)).build());
        }
    }
}
