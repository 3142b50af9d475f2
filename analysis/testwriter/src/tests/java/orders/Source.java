package orders;

public interface Source {
    Rows query(String text);

    long size();

    int price();
}
