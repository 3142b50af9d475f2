package billing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How long customers talked. */
public class UsageRepository {
    private final Map<String, List<Call>> calls = new ConcurrentHashMap<>();

    public void add(String customer, int month, int seconds) {
        calls.compute(customer, (c, before) -> {
            List<Call> all = before == null ? new ArrayList<>() : new ArrayList<>(before);
            all.add(new Call(month, seconds));
            return all;
        });
    }

    /** Takes the calls of a month out. */
    public List<Call> take(String customer, int month) {
        List<Call> taken = new ArrayList<>();
        calls.computeIfPresent(customer, (c, before) -> {
            List<Call> left = new ArrayList<>();
            for (Call call : before) {
                (call.month() == month ? taken : left).add(call);
            }
            return left;
        });
        return taken;
    }
}
