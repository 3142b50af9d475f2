package orders;

public class Units {
    public static boolean coarse(Source source) {
        return true;
    }
}
