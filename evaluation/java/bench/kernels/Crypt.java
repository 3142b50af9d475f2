package kernels;

import java.util.Random;

/** The IDEA cipher: a text is encrypted, decrypted, and compared with what it was. */
final class Crypt {

    private static final int ROUNDS = 8;
    private static final int SUBKEYS = 6 * ROUNDS + 4;

    private Crypt() {
    }

    /** {@code size}: bytes of text, a multiple of 8. */
    static void run(int size) {
        Random random = new Random(136506717L);
        byte[] text = new byte[size];
        random.nextBytes(text);
        int[] user = new int[8];
        for (int i = 0; i < user.length; i++) {
            user[i] = random.nextInt(0x10000);
        }
        int[] encrypt = schedule(user);
        int[] decrypt = invert(encrypt);
        byte[] cipher = new byte[size];
        byte[] again = new byte[size];
        code(text, cipher, encrypt);
        code(cipher, again, decrypt);
        for (int i = 0; i < size; i++) {
            Main.check(text[i] == again[i], "byte " + i + " is another one");
        }
    }

    /** Sub-keys: the user key, rotated by 25 bits for every eight of them. */
    private static int[] schedule(int[] user) {
        int[] keys = new int[SUBKEYS];
        for (int i = 0; i < SUBKEYS; i++) {
            if (i < 8) {
                keys[i] = user[i];
            } else {
                int row = i & ~7;
                int high = keys[row - 8 + (i + 1 & 7)];
                int low = keys[row - 8 + (i + 2 & 7)];
                keys[i] = (high << 9 | low >>> 7) & 0xffff;
            }
        }
        return keys;
    }

    /** The sub-keys that undo these. */
    private static int[] invert(int[] keys) {
        int[] inverse = new int[SUBKEYS];
        int from = SUBKEYS - 4;
        for (int round = 0; round <= ROUNDS; round++) {
            int to = 6 * round;
            boolean straight = round == 0 || round == ROUNDS;
            inverse[to] = reciprocal(keys[from]);
            inverse[to + 1] = -keys[straight ? from + 1 : from + 2] & 0xffff;
            inverse[to + 2] = -keys[straight ? from + 2 : from + 1] & 0xffff;
            inverse[to + 3] = reciprocal(keys[from + 3]);
            if (round < ROUNDS) {
                inverse[to + 4] = keys[from - 2];
                inverse[to + 5] = keys[from - 1];
            }
            from -= 6;
        }
        return inverse;
    }

    private static void code(byte[] from, byte[] to, int[] key) {
        for (int at = 0; at < from.length; at += 8) {
            int x1 = from[at] & 0xff | (from[at + 1] & 0xff) << 8;
            int x2 = from[at + 2] & 0xff | (from[at + 3] & 0xff) << 8;
            int x3 = from[at + 4] & 0xff | (from[at + 5] & 0xff) << 8;
            int x4 = from[at + 6] & 0xff | (from[at + 7] & 0xff) << 8;
            int k = 0;
            for (int round = 0; round < ROUNDS; round++) {
                x1 = times(x1, key[k++]);
                x2 = x2 + key[k++] & 0xffff;
                x3 = x3 + key[k++] & 0xffff;
                x4 = times(x4, key[k++]);
                int t1 = times(x1 ^ x3, key[k++]);
                int t2 = times(t1 + (x2 ^ x4) & 0xffff, key[k++]);
                t1 = t1 + t2 & 0xffff;
                x1 ^= t2;
                x4 ^= t1;
                int middle = x2 ^ t1;
                x2 = x3 ^ t2;
                x3 = middle;
            }
            x1 = times(x1, key[k++]);
            int y2 = x3 + key[k++] & 0xffff;
            int y3 = x2 + key[k++] & 0xffff;
            x4 = times(x4, key[k]);
            to[at] = (byte) x1;
            to[at + 1] = (byte) (x1 >>> 8);
            to[at + 2] = (byte) y2;
            to[at + 3] = (byte) (y2 >>> 8);
            to[at + 4] = (byte) y3;
            to[at + 5] = (byte) (y3 >>> 8);
            to[at + 6] = (byte) x4;
            to[at + 7] = (byte) (x4 >>> 8);
        }
    }

    /** Product modulo 2^16 + 1, where 0 stands for 2^16. */
    private static int times(int a, int b) {
        long x = a == 0 ? 0x10000 : a;
        long y = b == 0 ? 0x10000 : b;
        return (int) (x * y % 0x10001) & 0xffff;
    }

    /** What times {@code a} is 1, by Fermat's little theorem. */
    private static int reciprocal(int a) {
        int power = 1;
        for (int i = 0; i < 16; i++) {
            power = times(times(power, power), a);
        }
        return power;
    }
}
