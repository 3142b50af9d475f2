package golden;

import java.util.AbstractSet;
import java.util.Iterator;

/** A set without end: nobody who wants all of it comes back. Its third element is the first positive one. */
final class LazySet extends AbstractSet<Element> {
    @Override
    public Iterator<Element> iterator() {
        return new Iterator<Element>() {
            private int next;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Element next() {
                return new Element(next++ - 1);
            }
        };
    }

    @Override
    public int size() {
        throw new UnsupportedOperationException("without end");
    }
}
