package nest;

import java.io.IOException;

public class Outer {
    private static class Hidden {
    }

    protected class Inner {
        Inner(int n) throws IOException, InterruptedException {
        }
    }

    public interface Shape {
        void draw();
    }

    static final Shape SHAPE = new Shape() {
        @Override
        public void draw() {
        }
    };

    private Hidden hidden;
}
