package columns;

import java.util.ArrayList;
import java.util.List;

/** Words in columns, read downwards. */
public class Layout {
    private final int width;

    public Layout(int width) {
        this.width = width;
    }

    public List<String> lines(List<String> words) {
        int column = words.stream().mapToInt(String::length).max().orElse(0) + 2;
        int columns = Math.max(1, width / column);
        int rows = (words.size() + columns - 1) / columns;
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            StringBuilder line = new StringBuilder();
            for (int at = row; at <= words.size(); at += rows) {
                line.append(words.get(at)).append(" ".repeat(column - words.get(at).length()));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
