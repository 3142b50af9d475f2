package flights;

/** A flight of each day; times are minutes. */
public class Flight {
    private String number;
    private int departs;
    private int minutes;

    public String getNumber() {
        return number;
    }

    public void setNumber(String number) {
        this.number = number;
    }

    public int getDeparts() {
        return departs;
    }

    public void setDeparts(int departs) {
        this.departs = departs;
    }

    public int getMinutes() {
        return minutes;
    }

    public void setMinutes(int minutes) {
        this.minutes = minutes;
    }

    public int arrives() {
        return departs + minutes;
    }
}
