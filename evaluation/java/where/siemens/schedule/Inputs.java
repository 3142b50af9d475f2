package siemens.schedule;

import java.util.ArrayList;
import java.util.List;
import siemens.Numbers;
import siemens.Subject;

/** Counts of processes, and commands. */
public final class Inputs implements Subject {
    @Override
    public List<String> inputs() {
        return commands(9);
    }

    /** Inputs of both schedulers. */
    public static List<String> commands(int seed) {
        Numbers numbers = new Numbers(seed);
        List<String> all = new ArrayList<>();
        while (all.size() < 1000) {
            StringBuilder text = new StringBuilder();
            for (int priority = 1; priority <= 3; priority++) {
                text.append(numbers.below(5)).append(' ');
            }
            int count = numbers.below(14);
            for (int done = 0; done < count; done++) {
                int command = numbers.of(1, 2, 3, 4, 5, 6, 2, 3, 4, 5, 7);
                if (command == 7 && numbers.below(3) != 0) {
                    command = 5;
                }
                text.append(command).append(' ');
                if (command == 1 || command == 2) {
                    text.append(1 + numbers.below(3)).append(' ');
                }
                if (command == 2 || command == 4) {
                    text.append(numbers.of(0, 10, 33, 50, 75, 99, 100)).append(' ');
                }
            }
            all.add(text.toString());
        }
        return all;
    }

    /** The numbers of a text. */
    public static int[] numbers(String text) {
        String[] parts = text.trim().split(" ");
        int[] numbers = new int[parts.length];
        for (int at = 0; at < numbers.length; at++) {
            numbers[at] = Integer.parseInt(parts[at]);
        }
        return numbers;
    }

    @Override
    public String run(String input) {
        return new Schedule().run(numbers(input));
    }
}
