package sounds;

/** Prints the codes of names; the status with which it ends is how many there are. */
public class Main {
    private Main() {
    }

    public static void main(String[] args) {
        Sounds sounds = new Sounds();
        for (String name : new String[] {"Robert", "yhwdyt", "Rupert"}) {
            System.out.println(name + " " + sounds.code(name));
        }
        System.exit(sounds.coded());
    }
}
