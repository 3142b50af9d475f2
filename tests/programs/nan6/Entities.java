package nan6;

import java.io.Reader;
import java.io.StringReader;
import java.util.HashMap;
import java.util.Map;
import net.n3.nanoxml.IXMLEntityResolver;
import net.n3.nanoxml.IXMLReader;

/** Entities by name; a later definition takes the place of an earlier one. */
class Entities implements IXMLEntityResolver {
    private final Map<String, String> entities = new HashMap<>();

    Entities() {
        addInternalEntity("lt", "&#60;");
        addInternalEntity("amp", "&#38;");
        addInternalEntity("gt", "&#62;");
    }

    @Override
    public void addInternalEntity(String name, String value) {
        entities.put(name, value);
    }

    @Override
    public void addExternalEntity(String name, String publicId, String systemId) {
        throw new UnsupportedOperationException("external entity " + name);
    }

    @Override
    public Reader getEntity(IXMLReader reader, String name) {
        String value = entities.get(name);
        return value == null ? null : new StringReader(value);
    }

    @Override
    public boolean isExternalEntity(String name) {
        return false;
    }
}
