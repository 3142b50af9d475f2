package xstream36;

import static org.junit.Assert.assertEquals;

import com.thoughtworks.xstream.XStream;
import com.thoughtworks.xstream.converters.SingleValueConverter;
import com.thoughtworks.xstream.converters.extended.NamedMapConverter;
import com.thoughtworks.xstream.io.xml.DomDriver;
import java.util.HashMap;
import java.util.Map;

/** Writes and reads a cache of molecules, whose values are texts of their entries. */
public class Xstream36 {
    private Xstream36() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        XStream xstream = new XStream(new DomDriver());
        xstream.allowTypesByWildcard(new String[] {"xstream36.**"});
        xstream.alias("cache", MoleculeCache.class);
        xstream.registerConverter(new MyValueConverter());
        xstream.registerConverter(new NamedMapConverter(
            xstream.getMapper(), "mol", "i", Long.class, null, MyValue.class, true, false, xstream.getConverterLookup()) {
            @Override
            @SuppressWarnings("rawtypes")
            public boolean canConvert(Class type) {
                return type.equals(MoleculeCache.class);
            }
        });
        MoleculeCache cache = new MoleculeCache();
        cache.put(7L, new MyValue("H2O"));
        String xml = xstream.toXML(cache);
        System.out.println(xml);
        Map<?, ?> read = (Map<?, ?>) xstream.fromXML(xml);
        assertEquals(1, read.size());
        assertEquals(MyValue.class, read.get(7L).getClass());
    }

    /** Molecules by their numbers. */
    public static class MoleculeCache extends HashMap<Long, MyValue> {
        private static final long serialVersionUID = 1;

        /** Makes an empty one. */
        public MoleculeCache() {
        }
    }

    /** A molecule. */
    public static class MyValue {
        private final String formula;

        MyValue(String formula) {
            this.formula = formula;
        }
    }

    /** Molecules are written as their formulas. */
    static class MyValueConverter implements SingleValueConverter {
        @Override
        @SuppressWarnings("rawtypes")
        public boolean canConvert(Class type) {
            return type.equals(MyValue.class);
        }

        @Override
        public String toString(Object value) {
            return ((MyValue) value).formula;
        }

        @Override
        public Object fromString(String text) {
            return new MyValue(text);
        }
    }
}
