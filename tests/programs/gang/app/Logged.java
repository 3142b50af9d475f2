package gang.app;

import java.util.ArrayList;
import java.util.List;

/** Fields that subclasses name as their own, so that nobody sees there whether they are volatile. */
class Logged {
    final List<String> log = new ArrayList<>();
    final Object lock = new Object();
}
