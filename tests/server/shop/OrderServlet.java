package shop;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;

/** Takes orders: {@code /order?customer=Ann&lines=apple:2,pear:3}. What goes wrong in one is answered with status 500. */
public final class OrderServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient Catalog catalog;

    OrderServlet(Catalog catalog) {
        this.catalog = catalog;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Order order = Order.parse(request.getParameter("customer"), request.getParameter("lines"));
        Receipt receipt = catalog.sell(order);
        response.setContentType("text/html");
        response.setCharacterEncoding("UTF-8");
        PrintWriter out = response.getWriter();
        out.print(receipt.asHtml());
    }
}
