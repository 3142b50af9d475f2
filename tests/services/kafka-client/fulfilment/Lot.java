package fulfilment;

/** So many pieces that are good until a day. */
public record Lot(int quantity, int day) {}
