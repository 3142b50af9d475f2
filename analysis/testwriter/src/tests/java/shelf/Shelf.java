package shelf;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

public class Shelf {
    public void fill(Iterable<?> albums) {}

    public void fill(Collection<?> albums) {}

    public void fill(List<?> albums) {}

    public void fill(Set<String> albums) {}

    public void fill(Map<String, Integer> albums) {}

    public void fill(Optional<String> album) {}

    public void fill(Iterator<String> albums) {}

    public void fill(Stream<String> albums) {}
}
