package java.lang;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import jdk.internal.misc.VM;

/** Finds out which system properties were set since the JVM began. Called once, by the agent, when the first test begins. */
final class JinsiProperties {
    private JinsiProperties() {}

    /** Names and values in turn; {@code null} if the program does not let its properties be read. */
    static String[] later() {
        try {
            Map<String, String> first = VM.getSavedProperties();
            Properties now = System.getProperties();
            List<String> texts = new ArrayList<>();
            for (String name : now.stringPropertyNames()) {
                String value = now.getProperty(name);
                if (value != null && !value.equals(first.get(name))) {
                    texts.add(name);
                    texts.add(value);
                }
            }
            return texts.toArray(new String[0]);
        } catch (RuntimeException e) {
            return null;
        }
    }
}
