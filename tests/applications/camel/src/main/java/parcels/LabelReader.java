package parcels;

/** Reads what is on a label: town, grams and country. */
public class LabelReader {
    public Parcel read(String label) {
        String[] parts = label.split(";");
        return new Parcel(parts[0], Integer.parseInt(parts[1]), parts[2]);
    }
}
