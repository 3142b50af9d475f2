package in;

public class Source {
    public int read(char[] into) {
        return 0;
    }
}
