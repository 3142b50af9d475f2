package flights;

import java.util.List;

/** Journeys with one change. */
public class Journeys {
    private static final int CHANGE = 40;
    private final FlightMapper flights;

    public Journeys(FlightMapper flights) {
        this.flights = flights;
    }

    /** The first pair of flights that fit. */
    public String describe(String from, String over, String to) {
        List<Flight> firsts = flights.between(from, over);
        List<Flight> seconds = flights.between(over, to);
        for (Flight first : firsts) {
            int at = 0;
            while (seconds.get(at).getDeparts() < first.arrives() + CHANGE) {
                at++;
            }
            return first.getNumber() + ", " + seconds.get(at).getNumber();
        }
        return "no journey";
    }
}
