package library;

import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Members, their loans, and what they owe. */
public class Main {
    public static void main(String[] args) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Member.class)
                .addAnnotatedClass(Loan.class)
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:library")
                .setProperty("hibernate.hbm2ddl.auto", "create");
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            factory.inTransaction(Main::fill);
            try (Session session = factory.openSession()) {
                for (Member member : session.createQuery("from Member order by name", Member.class).list()) {
                    System.out.println(member.getName() + ": " + new Fees(20).owed(member, 30));
                }
            }
        }
    }

    private static void fill(Session session) {
        Member ada = new Member("Ada");
        ada.borrow("Emma", 5).giveBack(31);
        ada.borrow("Ulysses", 22);
        Member bo = new Member("Bo");
        bo.borrow("Dracula", 2);
        bo.borrow("Walden", 3).giveBack(7);
        session.persist(ada);
        session.persist(bo);
    }
}
