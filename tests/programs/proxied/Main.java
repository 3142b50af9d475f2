package proxied;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;

/** A desk whose rates come from a dynamic proxy, and which has its limit from an annotation. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Rate rate = (Rate) Proxy.newProxyInstance(Rate.class.getClassLoader(), new Class<?>[] {Rate.class},
                (proxy, method, arguments) -> ((String) arguments[0]).length() - 3);
        Desk desk = new Desk(rate, Desk.class.getAnnotation(Limit.class));
        System.out.println(desk.total("EURO", 2));
        System.out.println(desk.total("EURO", 7));
    }

    /** The most that is changed at once. */
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Limit {
        /** The number. */
        int value();
    }

    /** What a currency is worth. */
    public interface Rate {
        /** In cents. */
        int of(String currency);
    }

    /** Changes money. */
    @Limit(5)
    public static final class Desk {
        private final Rate rate;
        private final Limit limit;

        Desk(Rate rate, Limit limit) {
            this.rate = rate;
            this.limit = limit;
        }

        int total(String currency, int count) {
            if (count > limit.value()) {
                throw new IllegalStateException("more than " + limit.value() + " at " + rate.of(currency));
            }
            return count * rate.of(currency);
        }
    }
}
