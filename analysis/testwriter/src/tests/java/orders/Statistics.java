package orders;

public class Statistics {
    public float sum(Source source) {
        return 0;
    }
}
