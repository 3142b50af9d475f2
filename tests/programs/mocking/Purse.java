package mocking;

/** What a till is filled from. Not observed, but named by the till: its implementations carry identities. */
interface Purse {
    /** The sum of all coins. */
    int coins();
}
