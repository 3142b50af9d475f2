package small;

/** Ten interactions with three classes, the last of which fails. Needed: the cart, the coupon that gives too much, and calls 9 and 10. */
public class Main {
    private Main() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Cart cart = new Cart();
        Item bread = new Item("bread", 350);
        cart.add(bread);
        Item milk = new Item("milk", 120);
        cart.add(milk);
        cart.total();
        Item salt = new Item("salt", 90);
        Coupon coupon = new Coupon(120);
        cart.redeem(coupon);
        cart.total();
    }
}
