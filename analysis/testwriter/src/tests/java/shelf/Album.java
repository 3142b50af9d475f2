package shelf;

public class Album {
    public String title() {
        return null;
    }
}
