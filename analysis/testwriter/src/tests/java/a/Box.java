package a;

import java.util.List;
import java.util.Map;

public class Box {
    public void ints(int[] values) {
    }

    public void all(List<String> values) {
    }

    public void map(Map<String, Object> values) {
    }

    public void any(Object value) {
    }

    public void put(String value) {
    }

    public void put(Integer value) {
    }

    public void color(Color color) {
    }

    public Box self() {
        return this;
    }

    public Box child() {
        return this;
    }

    public Object find() {
        return this;
    }

    public List<String> every() {
        return null;
    }

    public void check() {
    }

    public int size() {
        return 4;
    }

    public int half(int size) {
        return size / 2;
    }
}
