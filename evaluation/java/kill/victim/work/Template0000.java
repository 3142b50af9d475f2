package victim.work;

/** Loaded under ever new names: the digits are replaced in the class file. */
public final class Template0000 implements Task {
    private final Cell cell = new Cell();

    @Override
    public long step(long number, String text, int[] numbers) {
        cell.value = number;
        numbers[0] = text.length();
        return number + numbers[0] + cell.value;
    }
}
