package inheritance;

class SuperClass {
    SuperClass() {
        System.out.println("SuperClass - hashCode: " + hashCode());
    }
}
