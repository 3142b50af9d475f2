package mergesort;

import java.util.Arrays;

/**
 * Hermanns and Kuchen's example: sorts, but for a slip in line 12, arrays whose length is a power of two. */
public class MergeSort {
    static void merge(int[] a, int la, int ra, int[] b, int lb, int rb, int[] c, int lc) {
        while (la < ra && lb < rb)
            c[lc++] = (a[la] < b[lb]) ? a[la++] : b[lb++];
        while (la < ra)
            c[lb++] = a[la++];
        while (lb < rb)
            c[lc++] = b[lb++];
    }

    static void distribute(int[] a, int[] b, int[] c, int l) {
        int i = 0;
        for (int j = 0; j < a.length; j += 2 * l) {
            for (int k = j / 2; k < j / 2 + l; k++)
                b[k] = a[i++];
            for (int k = j / 2; k < j / 2 + l; k++)
                c[k] = a[i++];
        }
    }

    static void sort(int[] a) {
        int[] b = new int[a.length / 2];
        int[] c = new int[a.length / 2];
        for (int size = 1; size < a.length; size *= 2) {
            distribute(a, b, c, size);
            for (int i = 0; i < a.length / 2; i += size)
                merge(b, i, i + size, c, i, i + size, a, 2 * i);
        }
    }

    public static void main(String[] args) {
        int[] a = {4, 9, 1, 7};
        sort(a);
        System.out.println(Arrays.toString(a));
    }
}
