package redefined.lib;

/** It carries its identity, because observed code calls its interface. */
public class Bean implements Has {
    private final int number;

    public Bean(int number) {
        this.number = number;
    }

    @Override
    public int get() {
        return number;
    }
}
