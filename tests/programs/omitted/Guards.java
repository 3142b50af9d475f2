package omitted;

import java.util.ArrayList;
import java.util.List;

/** One list for each way in which something can be left out; comments name the lines. */
class Guards {
    public static void main(String[] args) {
        outer(false, false);
        inner(true, false);
        none(0);
        some(2);
        both(true, false);
        twice(true);
        twice(false);
        five(false);
        six(false);
        others(false);
        reads(false);
        try {
            cut(null);
        } catch (NullPointerException e) {
            // That is what is asked about.
        }
        new Louder();
        dispatch(new Quiet());
        choose(3);
        function(false);
        passed(false);
        wrong(4);
    }

    static void outer(boolean a, boolean b) {
        List<Integer> x = new ArrayList<>(); // outer made
        if (a) { // outer first
            if (b) { // outer second
                x.add(1);
            }
        }
    }

    static void inner(boolean a, boolean b) {
        List<Integer> x = new ArrayList<>(); // inner made
        if (a) { // inner first
            if (b) { // inner second
                x.add(1);
            }
        }
    }

    static void none(int rounds) {
        List<Integer> x = new ArrayList<>(); // none made
        int i = 0;
        while (i < rounds) { // none loop
            x.add(i++);
        }
    }

    static void some(int rounds) {
        List<Integer> x = new ArrayList<>(); // some made
        int i = 0;
        while (i < rounds) { // some loop
            x.add(i++);
        }
    }

    static void both(boolean a, boolean b) {
        List<Integer> x = new ArrayList<>(); // both made
        if (a // both first
                && b) {
            x.add(1);
        }
    }

    static void twice(boolean a) {
        List<Integer> x = new ArrayList<>(); // twice made
        if (a) { // twice test
            x.add(1);
        } else {
            x.add(2);
        }
    }

    static void five(boolean go) {
        List<Integer> x = new ArrayList<>(); // five made
        if (go) { // five test
            five1(x);
        }
    }

    static void five1(List<Integer> x) {
        five2(x);
    }

    static void five2(List<Integer> x) {
        five3(x);
    }

    static void five3(List<Integer> x) {
        five4(x);
    }

    static void five4(List<Integer> x) {
        five5(x);
    }

    static void five5(List<Integer> x) {
        x.add(5); // five adds
    }

    static void six(boolean go) {
        List<Integer> x = new ArrayList<>(); // six made
        if (go) { // six test
            six1(x);
        }
    }

    static void six1(List<Integer> x) {
        six2(x);
    }

    static void six2(List<Integer> x) {
        six3(x);
    }

    static void six3(List<Integer> x) {
        six4(x);
    }

    static void six4(List<Integer> x) {
        six5(x);
    }

    static void six5(List<Integer> x) {
        six6(x);
    }

    static void six6(List<Integer> x) {
        x.add(6); // six adds
    }

    static void others(boolean go) {
        List<Integer> x = new ArrayList<>(); // others made
        List<Integer> y = new ArrayList<>(); // others other
        if (go) { // others test
            x.add(1);
        }
        if (go) { // others other test
            y.add(1);
        }
    }

    static void reads(boolean go) {
        List<Integer> x = new ArrayList<>(); // reads made
        if (go) { // reads test
            x.size();
        }
    }

    static void cut(String text) {
        List<Integer> x = new ArrayList<>(); // cut made
        int length = text.length(); // cut here
        x.add(length);
    }

    interface Shape {
        void draw(List<Integer> x);
    }

    static class Quiet implements Shape {
        @Override
        public void draw(List<Integer> x) {
        }
    }

    static class Loud implements Shape {
        @Override
        public void draw(List<Integer> x) {
        }

        void more(List<Integer> x) {
            x.add(9);
        }
    }

    static class Louder extends Loud {
        @Override
        public void draw(List<Integer> x) {
            x.add(7);
        }
    }

    static void dispatch(Shape shape) {
        List<Integer> x = new ArrayList<>(); // dispatch made
        Shape louder = x.isEmpty() ? shape : new Louder();
        louder.draw(x); // dispatch here
    }

    static void choose(int n) {
        List<Integer> x = new ArrayList<>(); // choose made
        switch (n) { // choose here
            case 1:
                x.add(1);
                break;
            case 2:
                x.add(2);
                break;
            default:
        }
    }

    static void function(boolean go) {
        List<Integer> x = new ArrayList<>(); // function made
        Runnable adds = () -> x.add(8);
        if (go) { // function test
            adds.run();
        }
    }

    static void passed(boolean go) {
        List<Integer> x = new ArrayList<>(); // passed made
        List<Integer> y = new ArrayList<>();
        put(y);
        if (go) { // passed other test
            put(y);
        }
        if (go) { // passed test
            put(x);
        }
    }

    static void put(List<Integer> z) {
        z.add(1);
    }

    /** Nothing is left out here, the value is wrong. */
    static void wrong(int n) {
        List<Integer> x = new ArrayList<>(); // wrong made
        x.add(n + 1);
        System.out.println(x);
    }
}
