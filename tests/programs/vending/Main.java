package vending;

/**
 * A day of a {@link VendingMachine}: 32 interactions, of which the last fails. Seven suffice: the machine is made, switched on and
 * filled, two coins of 50 are inserted (one of 100 would do, which makes six) and given back, and the machine vends all the same.
 */
public class Main {
    private Main() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        VendingMachine machine = new VendingMachine(100);
        prepare(machine);
        sellCoffee(machine);
        changeMind(machine);
        repair(machine);
        sellTwoTeas(machine);
        System.out.println("sold: " + machine.sold());
        cancelAndVend(machine);
    }

    private static void prepare(VendingMachine machine) {
        machine.fill("coffee", 5);
        machine.fill("tea", 4);
        machine.fill("soup", 2);
        machine.insert(50);
        machine.switchOn();
    }

    private static void sellCoffee(VendingMachine machine) {
        machine.vend("coffee");
        machine.insert(50);
        machine.insert(20);
        machine.insert(50);
        machine.vend("coffee");
    }

    private static void changeMind(VendingMachine machine) {
        machine.insert(50);
        machine.insert(10);
        machine.cancel();
        machine.vend("soup");
    }

    private static void repair(VendingMachine machine) {
        machine.switchOff();
        machine.insert(100);
        machine.fill("soup", 3);
        machine.switchOn();
    }

    private static void sellTwoTeas(VendingMachine machine) {
        machine.insert(100);
        machine.vend("tea");
        machine.insert(50);
        machine.vend("tea");
        machine.insert(50);
        machine.vend("tea");
    }

    private static void cancelAndVend(VendingMachine machine) {
        machine.insert(25);
        machine.insert(10);
        machine.insert(50);
        machine.insert(50);
        machine.cancel();
        machine.vend("coffee");
    }
}
