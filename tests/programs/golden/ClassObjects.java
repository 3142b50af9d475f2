package golden;

/** Burger 2011, Listing 8.23: the class of an observed object is the one that a class loader gives for its name. */
public final class ClassObjects {
    /** Not observed. */
    static final class Caller {
        private Caller() {
        }

        public static void main(String[] args) throws ClassNotFoundException {
            ClassObjects objects = new ClassObjects();
            objects.check(Caller.class.getClassLoader(), "golden.ClassObjects");
            objects.divide(6, 3);
            try {
                objects.divide(6, 0);
            } catch (ArithmeticException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    void check(ClassLoader loader, String name) throws ClassNotFoundException {
        if (this.getClass() != loader.loadClass(name)) {
            System.err.println("Two class objects of one class.");
        }
    }

    int divide(int a, int b) {
        return a / b;
    }
}
