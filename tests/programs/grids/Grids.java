package grids;

/** Arrays of arrays: those that the JVM makes with the outer one, and those that the program puts into it. */
public final class Grids {
    private final int[][] cells = new int[3][4];
    private final String[][][] names = new String[2][2][];

    private int fill() {
        int sum = 0;
        for (int row = 0; row < cells.length; row++) {
            for (int column = 0; column < cells[row].length; column++) {
                cells[row][column] = row * column;
                sum += cells[row][column];
            }
        }
        return sum;
    }

    private String name() {
        names[1][0] = new String[] {"north", "south"};
        int[][] ragged = new int[2][];
        ragged[1] = new int[] {7};
        return names[1][0][1] + ragged[1][0];
    }

    public static void main(String[] args) {
        Grids grids = new Grids();
        System.out.println(grids.fill() + " " + grids.name());
    }
}
