package library;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import java.util.ArrayList;
import java.util.List;

@Entity
public class Member {
    @Id
    @GeneratedValue
    private Long id;
    private String name;
    @OneToMany(cascade = CascadeType.ALL)
    @OrderBy("lentOn")
    private List<Loan> loans = new ArrayList<>();

    protected Member() {
    }

    public Member(String name) {
        this.name = name;
    }

    public Loan borrow(String title, int day) {
        Loan loan = new Loan(title, day);
        loans.add(loan);
        return loan;
    }

    public String getName() {
        return name;
    }

    public List<Loan> getLoans() {
        return loans;
    }
}
