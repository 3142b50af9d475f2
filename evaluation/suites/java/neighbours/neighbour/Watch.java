package neighbour;

import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;

/** An aspect on all methods of the program. */
@Aspect
public final class Watch {
    /** Comes before each of them. */
    @Before("execution(* parcels..*(..))")
    public void before() {
        Sign.give();
    }
}
