package golden;

import java.util.Iterator;
import java.util.Set;

/** What is recorded of a set is what is asked of it. */
final class Search {
    private Search() {}

    static boolean hasPositiveElement(Set<Element> set) {
        boolean found = false;
        Iterator<Element> it = set.iterator();
        while (it.hasNext()) {
            Element e = it.next();
            if (e.value > 0) {
                found = true;
                break;
            }
        }
        return found;
    }
}
