package library;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
public class Loan {
    @Id
    @GeneratedValue
    private Long id;
    private String title;
    private int lentOn;
    private Integer returnedOn;

    protected Loan() {
    }

    public Loan(String title, int lentOn) {
        this.title = title;
        this.lentOn = lentOn;
    }

    public void giveBack(int day) {
        returnedOn = day;
    }

    public int getLentOn() {
        return lentOn;
    }

    /** The day, or null while it is lent. */
    public Integer getReturnedOn() {
        return returnedOn;
    }
}
