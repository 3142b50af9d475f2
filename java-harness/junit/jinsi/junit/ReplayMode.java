package jinsi.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says which classes a test runs against its recording: a class that is run by {@code JinsiReplay} or {@code JinsiReplayRunner}, or one
 * method of it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface ReplayMode {
    /**
     * Whether the recorded classes run, which come with the recording: the test shows the recorded failure, whatever becomes of the source.
     * Otherwise, and without this annotation, those on the test's class path run.
     */
    boolean recorded() default false;
}
