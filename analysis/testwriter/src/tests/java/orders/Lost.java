package orders;

public class Lost extends java.io.IOException {
    public Lost(String message) {
        super(message);
    }
}
