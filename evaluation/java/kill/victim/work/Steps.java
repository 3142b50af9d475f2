package victim.work;

/** Steps with all that an event can carry: numbers, strings, arrays, fields of others, exceptions caught and thrown on. */
public final class Steps implements Task {
    private final Cell cell = new Cell();
    private long caught;

    @Override
    public long step(long number, String text, int[] numbers) throws Odd {
        numbers[(int) (number % numbers.length)] = (int) number;
        cell.value = number;
        if (number % 5 == 0) {
            caught += attempt(number, text);
        }
        if (number % 7 == 0) {
            throw new Odd(number);
        }
        return number + text.length() + cell.value;
    }

    private long attempt(long number, String text) {
        try {
            refuse(number, text.concat("!"));
            return 0;
        } catch (Odd e) {
            return e.number();
        }
    }

    private static void refuse(long number, String text) throws Odd {
        if (text.endsWith("!")) {
            throw new Odd(number);
        }
    }

    /** Numbers of the steps that were refused, added up. */
    public long caught() {
        return caught;
    }
}
