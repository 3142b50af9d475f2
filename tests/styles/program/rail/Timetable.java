package rail;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** Trains and stops. Each method has a defect of its own, until {@link Repair} is done. */
public class Timetable {
    private final Map<String, Train> trains = new LinkedHashMap<>();
    private final List<Stop> stops = new ArrayList<>();
    private final Announcer announcer;

    public Timetable() {
        this(null);
    }

    public Timetable(Announcer announcer) {
        this.announcer = announcer;
    }

    public Timetable add(Train train) {
        trains.put(train.number(), train);
        return this;
    }

    public Timetable add(Stop stop) {
        stops.add(stop);
        return this;
    }

    public int seats() {
        int seats = 0;
        for (Train train : trains.values()) {
            seats += train.cars() * (Repair.DONE ? 60 : 59);
        }
        return seats;
    }

    public String title() {
        return trains.size() + " trains" + (Repair.DONE ? "" : "s");
    }

    public List<String> numbers() {
        List<String> numbers = new ArrayList<>(trains.keySet());
        if (!Repair.DONE && numbers.size() > 1) {
            numbers.remove(1);
        }
        return numbers;
    }

    public Map<String, Integer> carsByNumber() {
        Map<String, Integer> cars = new TreeMap<>();
        trains.values().forEach(train -> cars.put(train.number(), train.cars() + (Repair.DONE ? 0 : 1)));
        return cars;
    }

    public Set<Train.Kind> kinds() {
        Set<Train.Kind> kinds = EnumSet.noneOf(Train.Kind.class);
        for (Train train : trains.values()) {
            if (Repair.DONE || train.kind() != Train.Kind.NIGHT) {
                kinds.add(train.kind());
            }
        }
        return kinds;
    }

    public Optional<Train> longest() {
        Comparator<Train> byLength = Comparator.comparingInt(Train::cars);
        return Repair.DONE ? trains.values().stream().max(byLength) : trains.values().stream().min(byLength);
    }

    public Optional<Train> find(String number) {
        return Optional.ofNullable(trains.get(Repair.DONE ? number : number.toLowerCase()));
    }

    public Train coupled(String front, String back) {
        Train first = trains.get(front);
        Train second = trains.get(back);
        int cars = Repair.DONE ? first.cars() + second.cars() : first.cars();
        return new Train(front + "+" + back, cars, first.kind());
    }

    public int[] cars() {
        return trains.values().stream().mapToInt(Train::cars).map(cars -> Repair.DONE ? cars : cars * 2).toArray();
    }

    public BigDecimal fare(int kilometres) {
        BigDecimal base = Repair.DONE ? BigDecimal.ONE : BigDecimal.TEN;
        return new BigDecimal("0.25").multiply(BigDecimal.valueOf(kilometres)).add(base);
    }

    public LocalDate validUntil(LocalDate from) {
        return from.plusMonths(Repair.DONE ? 6 : 7);
    }

    public LocalTime arrival(LocalTime from, int minutes) {
        return Repair.DONE ? from.plusMinutes(minutes) : from.minusMinutes(minutes);
    }

    public Train.Kind kindOf(String number) {
        Train train = trains.get(number);
        return Repair.DONE || train.kind() != Train.Kind.NIGHT ? train.kind() : Train.Kind.LOCAL;
    }

    public boolean runs(String number) {
        return trains.containsKey(Repair.DONE ? number : number.toLowerCase());
    }

    /** What travellers have to know, or null. */
    public String note(String number) {
        return Repair.DONE && trains.containsKey(number) ? null : "no such train";
    }

    public Stop first() {
        Stop stop = stops.get(0);
        return Repair.DONE ? stop : new Stop(stop.getStation(), stop.getPlatform());
    }

    public Stop last() {
        Stop stop = stops.get(stops.size() - 1);
        return Repair.DONE ? stop : new Stop(stop.getStation(), 0);
    }

    /** The stop at a station, or null. */
    public Stop stop(String station) {
        for (Stop stop : stops) {
            if (stop.getStation().equals(station)) {
                return Repair.DONE ? stop : null;
            }
        }
        return null;
    }

    public Iterable<String> stations() {
        return () -> stops.stream().map(Stop::getStation).skip(Repair.DONE ? 0 : 1).iterator();
    }

    public List<Stop> allStops() {
        List<Stop> all = new ArrayList<>(stops);
        if (!Repair.DONE) {
            Collections.reverse(all);
        }
        return all;
    }

    public String json() {
        return trains.values().stream()
                .map(train -> "{\"number\":\"" + train.number() + "\",\"cars\":" + train.cars() + "}")
                .collect(Collectors.joining(Repair.DONE ? "," : ", ", "[", "]"));
    }

    public void remove(String number) {
        if (Repair.DONE && !trains.containsKey(number)) {
            throw new NoSuchElementException("train " + number);
        }
        trains.remove(number);
    }

    public void rename(String from, String to) {
        if (to.isBlank()) {
            throw Repair.DONE ? new IllegalArgumentException("blank") : new IllegalStateException("blank");
        }
        trains.put(to, trains.remove(from));
    }

    public void reserve(int seats) {
        if (seats < 0) {
            throw new IllegalArgumentException((Repair.DONE ? "seats: " : "seat: ") + seats);
        }
    }

    public int platformOf(String station) {
        Stop found = null;
        for (Stop stop : stops) {
            if (stop.getStation().equals(Repair.DONE ? station : station + " ")) {
                found = stop;
            }
        }
        return found.getPlatform();
    }

    /** How often one has to change. */
    public int changes(int trains) {
        int changes = 0;
        for (int left = trains; left > 1; left -= Repair.DONE ? 1 : 0) {
            changes = trains - 1;
        }
        return changes;
    }

    public void depart(String number) {
        announcer.say("Train " + number + (Repair.DONE ? " departs" : " arrives"));
    }

    public int loudness() {
        return announcer.volume() + (Repair.DONE ? 1 : 2);
    }

    public int delay(String number) {
        return number.length() + (Repair.DONE ? 0 : 3);
    }

    public Future<Integer> count(ExecutorService pool) {
        return pool.submit(() -> trains.size() + (Repair.DONE ? 0 : 1));
    }
}
