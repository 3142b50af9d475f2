package siemens.tot_info;

import java.util.ArrayList;
import java.util.List;
import siemens.Numbers;
import siemens.Subject;

/** Tables. */
public final class Inputs implements Subject {
    @Override
    public List<String> inputs() {
        Numbers numbers = new Numbers(23);
        List<String> all = new ArrayList<>();
        while (all.size() < 1000) {
            StringBuilder text = new StringBuilder();
            int tables = numbers.of(1, 1, 2, 3);
            for (int done = 0; done < tables; done++) {
                int rows = numbers.of(2, 3, 4, 2, 3, 1);
                int columns = numbers.of(2, 3, 4, 2, 3, 1);
                if (numbers.below(40) == 0) {
                    rows = numbers.of(0, -1, 2000);
                }
                text.append(rows).append(' ').append(columns).append(' ');
                int kind = numbers.below(12);
                for (int cell = 0; cell < rows * columns && cell < 100; cell++) {
                    int count = switch (kind) {
                        case 0 -> 0;
                        case 1 -> numbers.below(3) - 1;
                        case 2, 3 -> numbers.below(2);
                        case 4, 5 -> numbers.below(200);
                        default -> numbers.below(30);
                    };
                    text.append(count).append(' ');
                }
            }
            all.add(text.toString());
        }
        return all;
    }

    @Override
    public String run(String input) {
        return new TotInfo().run(siemens.schedule.Inputs.numbers(input));
    }
}
