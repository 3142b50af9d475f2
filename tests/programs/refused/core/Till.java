package refused.core;

/** Fails for another reason than the one it checks. */
public class Till {
    private final int[] coins = new int[2];
    private int count;

    public void put(int coin) {
        coins[count++] = coin;
    }

    public void take(int amount) {
        int sum = 0;
        for (int coin : coins) {
            sum += coin;
        }
        if (amount > sum) {
            throw new Overdrawn(amount - sum);
        }
    }
}
