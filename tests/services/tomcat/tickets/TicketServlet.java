package tickets;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code POST /tickets?show=..&customer=..&seats=..} books, {@code GET /tickets?customer=..} shows, both as plain text. */
public class TicketServlet extends HttpServlet {
    private final transient BoxOffice office;

    public TicketServlet(BoxOffice office) {
        this.office = office;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(response, 200, office.bookingsOf(request.getParameter("customer")).toString());
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String show = request.getParameter("show");
        String customer = request.getParameter("customer");
        int seats = Integer.parseInt(request.getParameter("seats"));
        if ("cancel".equals(request.getParameter("action"))) {
            answer(response, 200, office.cancel(show, customer) + " seats");
            return;
        }
        Booking booking = office.book(show, customer, seats);
        if (booking == null) {
            answer(response, 409, "sold out");
        } else {
            answer(response, 201, booking.number() + " " + booking.seats());
        }
    }

    private static void answer(HttpServletResponse response, int status, String text) throws IOException {
        response.setStatus(status);
        response.setContentType("text/plain");
        response.setCharacterEncoding("UTF-8");
        response.getWriter().println(text);
    }
}
