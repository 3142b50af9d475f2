package omitted;

/** A name is only given if there is room, and cut without a look at whether there is one. */
class Lost {
    private String name;

    public static void main(String[] args) {
        Lost lost = new Lost();
        lost.open(0);
        if (args.length == 0) {
            System.out.println(lost.first(2));
        }
    }

    void open(int room) {
        if (room > 0) {
            name = "named";
        }
    }

    String first(int length) {
        return cut(length);
    }

    String cut(int length) {
        if (length > 0) {
            return name.substring(0, length);
        }
        return "";
    }
}
