class Example {
    Example() {
        m1();
    }
    void m1() {
        FarAWayClass o = new FarAWayClass();
        Object result = o.doSomeThing();
        m2(result);
    }
    void m2(Object result) {
        mN(result);
    }
    void mN(Object result) {
        result.equals("");
    }



    public static void main(String[] args) {
        new Example();
    }
}
class FarAWayClass {

    Object doSomeThing() {
        return null;
    }
}
