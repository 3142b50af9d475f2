package siemens.tcas;

import java.util.ArrayList;
import java.util.List;
import siemens.Numbers;
import siemens.Subject;

/** Inputs near to what decides. */
public final class Inputs implements Subject {
    @Override
    public List<String> inputs() {
        Numbers numbers = new Numbers(41);
        List<String> all = new ArrayList<>();
        while (all.size() < 1600) {
            int own = numbers.below(1000);
            int other = own + numbers.of(-300, -1, 0, 1, 300, 600);
            int[] limits = {400, 500, 640, 740};
            int layer = numbers.below(4);
            int up = near(numbers, limits[layer]);
            int down = numbers.below(3) == 0 ? up + numbers.of(-100, 0, 100, 50, 200) : near(numbers, limits[layer]);
            int[] in = {
                numbers.of(601, 700, 1000, 600, 640, 299, 300, 2000), numbers.below(8) == 0 ? 0 : 1, numbers.below(4) == 0 ? 0 : 1, own,
                numbers.of(300, 599, 600, 601, 650, 10), other, layer, up, down, numbers.of(0, 0, 0, 1, 2), numbers.of(1, 1, 2),
                numbers.below(2),
            };
            StringBuilder text = new StringBuilder();
            for (int number : in) {
                text.append(number).append(' ');
            }
            all.add(text.toString());
        }
        return all;
    }

    private static int near(Numbers numbers, int limit) {
        return limit + numbers.of(-200, -100, -50, -20, -1, 0, 1, 20, 50, 100, 200);
    }

    @Override
    public String run(String input) {
        String[] parts = input.trim().split(" ");
        int[] in = new int[parts.length];
        for (int at = 0; at < in.length; at++) {
            in[at] = Integer.parseInt(parts[at]);
        }
        return Integer.toString(new Tcas(in).advise());
    }
}
