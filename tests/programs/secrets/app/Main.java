package secrets.app;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import secrets.vault.Vault;

/** Hands secrets about in many ways, and fails with one in its message. */
public class Main {
    public static void main(String[] args) {
        Session session = new Session(Vault.account().password());
        session.say("token is " + Vault.token() + "!");
        session.pin = Vault.pin();
        session.keep(String.valueOf(session.pin));
        session.derive(Vault.token());
        session.close();
    }
}

class Session {
    private final String password;
    private final List<String> said = new ArrayList<>();
    private final Map<String, Object> kept = new HashMap<>();
    char[] pin;

    Session(String password) {
        this.password = password;
        kept.put("password", new StringBuilder(password).reverse().reverse());
    }

    void say(String text) {
        said.add(text);
    }

    void keep(String pin) {
        kept.put(pin, said);
        kept.put("bytes", pin.getBytes());
    }

    /** Each form goes to code that is not recorded. */
    void derive(String token) {
        Base64.Encoder base64 = Base64.getEncoder();
        byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
        Vault.take(token.toLowerCase());
        Vault.take(token.toUpperCase());
        Vault.take(("  " + token + " ").trim());
        Vault.take(token.concat(";"));
        Vault.take(new String(token.toCharArray()));
        Vault.take(base64.encodeToString(bytes));
        Vault.take(base64.withoutPadding().encodeToString(bytes));
        if (Boolean.getBoolean("within")) {
            Vault.take(base64.encodeToString(("ann:" + token + "!").getBytes(StandardCharsets.UTF_8)));
        }
        Vault.take(token.substring(3));
    }

    void close() {
        try {
            throw new IllegalArgumentException(said.get(0));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("cannot close, password=" + password + " " + kept.size(), e);
        }
    }
}
