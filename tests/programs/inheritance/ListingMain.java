package inheritance;

/** The listings on constructors of the dissertation (digest §10.4), with {@code main} outside. Only SubClass is observed. */
class ListingMain {
    public static void main(String[] args) {
        new SuperClass();
        new SubClass();
    }
}
