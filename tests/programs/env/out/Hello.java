package env.out;

/** The service that is found. */
public final class Hello implements Greeting {
    @Override
    public String word() {
        return "hello from " + System.getProperty("user.dir").length();
    }
}
