package fields;

/** Not observed: the accesses of observed code to fields of others, of its own kind and of itself. */
final class Listings {
    private Listings() {}

    public static void main(String[] arguments) {
        Unit unit = new Unit(11);
        unit.rational = new Unit.Rational(3, 4);
        Gauge one = new Gauge(1);
        Gauge two = new Gauge(2);
        one.readField(unit);
        one.writeField(unit);
        two.readField(one);
        two.writeField(one);
        one.readField(one);
        one.writeField(one);
        System.out.println(one.divide(unit).quotient() + " " + unit.value);
    }
}
