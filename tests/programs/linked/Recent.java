package linked;

import org.apache.commons.collections4.map.AbstractLinkedMap;

/** The application's class on top of a library's: an entry a name, in the order of first use. Observed. */
class Recent extends AbstractLinkedMap<String, Integer> {
    Recent() {
        super(4);
    }

    @Override
    protected Object convertKey(Object key) {
        return key == null ? null : key.toString().trim();
    }

    int used(String name) {
        Integer before = get(name);
        put(name, before == null ? 1 : before + 1);
        return size();
    }
}
