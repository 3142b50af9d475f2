package inheritance;

/** Burger 2011, Listings 7.4 to 7.6, on constructors, with {@code main} outside. Only SubClass is observed. */
class ListingMain {
    public static void main(String[] args) {
        new SuperClass();
        new SubClass();
    }
}
