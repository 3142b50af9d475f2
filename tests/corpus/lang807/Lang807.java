package lang807;

import java.util.Random;
import org.apache.commons.lang3.RandomStringUtils;

/** Makes random texts of fewer and fewer letters. */
public class Lang807 {
    private Lang807() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Random random = new Random(7);
        char[] letters = {'a', 'b', 'c'};
        for (int end = 3; end > 0; end--) {
            System.out.println(RandomStringUtils.random(5, 0, end, false, false, letters, random));
        }
        System.out.println(RandomStringUtils.random(5, 2, 2, false, false, letters, random));
    }
}
