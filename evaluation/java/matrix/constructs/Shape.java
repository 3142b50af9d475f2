package constructs;

/** An enumeration whose constants have bodies. */
enum Shape {
    CIRCLE {
        @Override
        double area(double size) {
            return Math.round(Math.PI * size * size);
        }
    },
    SQUARE {
        @Override
        double area(double size) {
            return size * size;
        }
    };

    abstract double area(double size);
}
