package omitted;
import java.io.File;
import java.util.ArrayList;
class FileLister {
    File dir; ArrayList<String> list; ArrayList<String> args; boolean active;
    public static void main(String[] args) {
        new FileLister().run(args);
    }
    void run(String[] args) {
        init();
        setArgs(args);
        if (active) addItem();
        printItems();
    }
    void init() {
        dir = new File(".");
        list = new ArrayList<>();
        args = new ArrayList<>();
        active = false;
    }
    void setArgs(String[] given) {
        for (String one : given) args.add(one);
    }
    void addItem() {
        ArrayList<String> d = this.list;
        for (String n : dir.list())
            d.add(n);
    }
    void printItems() {
        ArrayList<String> s = this.list;
        System.out.println(s.toString());
    }
    void addNewItem(String n) { list.add(n); }
}
