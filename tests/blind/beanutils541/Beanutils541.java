package beanutils541;

import org.apache.commons.beanutils.FluentPropertyBeanIntrospector;
import org.apache.commons.beanutils.PropertyUtilsBean;

/** Sets a property of beans by a setter that can be chained. */
public class Beanutils541 {
    private Beanutils541() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws ReflectiveOperationException {
        PropertyUtilsBean properties = new PropertyUtilsBean();
        properties.addBeanIntrospector(new FluentPropertyBeanIntrospector());
        SubTypeA a = new SubTypeA();
        properties.setProperty(a, "field", "name");
        System.out.println(a.getField());
        SubTypeB b = new SubTypeB();
        properties.setProperty(b, "field", "name");
        System.out.println(b.getField());
    }

    /** Has the property. */
    public static class BaseType {
        private String field;

        /** Its value. */
        public String getField() {
            return field;
        }

        /** Changes it. */
        public BaseType setField(String value) {
            field = value;
            return this;
        }
    }

    /** Overrides the setter. */
    public static class SubTypeA extends BaseType {
        @Override
        public SubTypeA setField(String value) {
            super.setField(value);
            return this;
        }
    }

    /** Inherits the setter. */
    public static class SubTypeB extends BaseType {
    }
}
