package secrets.vault;

/** Where the secrets are; not observed. They are properties of the JVM, so that no class file has them. */
public class Vault {
    public static String token() {
        return System.getProperty("token");
    }

    public static char[] pin() {
        return System.getProperty("pin").toCharArray();
    }

    /** Does nothing with it. */
    public static void take(String text) {}

    public static Account account() {
        return new Account(System.getProperty("password"));
    }

    /** Keeps a password for others. */
    public static class Account {
        public final String name = "ann";
        private final String password;

        Account(String password) {
            this.password = password;
        }

        public String password() {
            return password;
        }
    }
}
