package risk;

import java.util.List;
import java.util.concurrent.RecursiveTask;

class ExposureTask extends RecursiveTask<Exposure> {
    private static final int FEW = 8;

    private final transient List<Position> positions;
    private final int from;
    private final int to;
    private final transient PriceBook prices;

    ExposureTask(List<Position> positions, int from, int to, PriceBook prices) {
        this.positions = positions;
        this.from = from;
        this.to = to;
        this.prices = prices;
    }

    @Override
    protected Exposure compute() {
        if (to - from <= FEW) {
            return few();
        }
        int middle = (from + to) >>> 1;
        ExposureTask left = new ExposureTask(positions, from, middle, prices);
        ExposureTask right = new ExposureTask(positions, middle, to, prices);
        left.fork();
        Exposure second = right.compute();
        return left.join().plus(second);
    }

    private Exposure few() {
        Exposure sum = Exposure.NONE;
        for (Position position : positions.subList(from, to)) {
            long value = prices.price(position.paper()) * position.pieces();
            if (value != 0) {
                sum = sum.plus(new Exposure(1, value, value));
            }
        }
        return sum;
    }
}
