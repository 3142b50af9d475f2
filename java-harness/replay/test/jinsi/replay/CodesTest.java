package jinsi.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Enums whose places are written and read have the numbers of the table. */
final class CodesTest {
    @Test
    void placesAreTheNumbersOfTheTable() throws IllegalAccessException {
        compare("OP", Op.values(), Op.values().length);
        compare("ROLE", ObjectInfo.Role.values(), ObjectInfo.Role.values().length);
        compare("SETTING", Setting.Kind.values(), Setting.Kind.values().length);
        compare("RESULT", Verdict.Result.values(), Verdict.Result.values().length);
        compare("WHY", Why.values(), Why.values().length);
        // The last is for written tests, and so travels nowhere.
        compare("MODE", Mode.values(), Mode.SCRIPT.ordinal());
        compare("WATCH", Watch.Kind.values(), Watch.Kind.STATUS.ordinal());
    }

    /** The first {@code count} of {@code values} are the codes whose names begin with {@code group}. */
    private static void compare(String group, Enum<?>[] values, int count) throws IllegalAccessException {
        Map<Integer, String> places = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            places.put(i, group + "_" + values[i].name());
        }
        Map<Integer, String> codes = new TreeMap<>();
        for (Field field : Codes.class.getDeclaredFields()) {
            if (field.getName().startsWith(group + "_")) {
                codes.put(field.getInt(null), field.getName());
            }
        }
        assertEquals(codes, places);
    }
}
