package parcels;

import java.util.Map;

/** What parcels cost. */
public class Postage {
    private static final Map<String, Integer> ABROAD = Map.of("AT", 1200, "DE", 1100);

    public String price(Parcel parcel) {
        int cents = parcel.country().equals("CH") ? 700 : ABROAD.get(parcel.country());
        if (parcel.grams() > 2000) {
            cents += 300;
        }
        return parcel.town() + " " + cents;
    }
}
