package replayed.app;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Pipelines, with lambdas of its own and of others. */
class Shelf {
    private final List<String> names;

    Shelf(List<String> names) {
        this.names = new ArrayList<>(names);
    }

    List<String> longNames(int length) {
        return names.stream().filter(name -> name.length() > length).sorted().collect(Collectors.toList());
    }

    long count(Predicate<String> wanted) {
        return names.stream().filter(wanted).count();
    }
}
