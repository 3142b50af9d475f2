package inheritance;

class SubClass extends SuperClass {
    SubClass() {
        System.out.println("SubClass - hashCode: " + hashCode());
    }
}
