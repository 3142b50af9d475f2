package strays.app;

/** A shape of our own. */
final class Square extends Shape implements Named {
    private final int side;

    Square(int side) {
        this.side = side;
    }

    @Override
    public int area() {
        return side * side;
    }

    @Override
    public boolean covers(Shape other) {
        return area() > other.area();
    }

    @Override
    public String name() {
        return "square";
    }
}
