package shelves;

import java.util.HashMap;
import java.util.Map;

/** Shelves for boxes; where some boxes remain, there is a shelf too few. */
public class Shelves {
    enum Size {
        SMALL(4), LARGE(2);

        final int boxes;

        Size(int boxes) {
            this.boxes = boxes;
        }
    }

    static class Box {
        final int id;
        final Size size;

        Box(int id, Size size) {
            this.id = id;
            this.size = size;
        }
    }

    static final Map<String, Size> KNOWN = new HashMap<>();

    static int shelves(int count, Size size) {
        return count / size.boxes;
    }

    static int shelves(Box[] boxes) {
        int[] counts = new int[2];
        for (Box box : boxes) {
            counts[box.size.ordinal()]++;
        }
        return shelves(counts[0], Size.SMALL) + shelves(counts[1], Size.LARGE);
    }

    public static void main(String[] args) {
        KNOWN.put("large", Size.LARGE);
        Box[] boxes = new Box[5];
        for (int i = 0; i < boxes.length; i++) {
            boxes[i] = new Box(i, i < 3 ? Size.SMALL : Size.LARGE);
        }
        System.out.println(shelves(boxes));
    }
}
