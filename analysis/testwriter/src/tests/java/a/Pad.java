package a;

public class Pad {
    public void fill(Object value, int width, char with) {
    }

    public void fill(int value, int width, char with) {
    }

    public void put(Object value) {
    }

    public void put(String value) {
    }

    public void write(byte[] bytes) {
    }

    public void check() {
    }
}
