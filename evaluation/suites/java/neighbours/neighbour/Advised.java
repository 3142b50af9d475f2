package neighbour;

import java.lang.instrument.Instrumentation;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/** An agent that puts advice into all methods of the program, by ByteBuddy. */
public final class Advised {
    private Advised() {}

    /** Begins before the program. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        new AgentBuilder.Default()
                .type(ElementMatchers.nameStartsWith("parcels."))
                .transform((builder, type, loader, module, domain) ->
                        builder.visit(Advice.to(Entered.class).on(ElementMatchers.isMethod())))
                .installOn(instrumentation);
    }

    /** What is put in. */
    public static final class Entered {
        private Entered() {}

        @Advice.OnMethodEnter
        static void enter() {
            Sign.give();
        }
    }
}
