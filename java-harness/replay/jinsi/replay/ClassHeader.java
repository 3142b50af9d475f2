package jinsi.replay;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a class file names: the classes of its constant pool, and its supertypes (JVMS §4.1). All names are internal ones. */
final class ClassHeader {
    /** The classes that its constant pool names, without arrays. */
    final List<String> named = new ArrayList<>();
    /** Its superclass and its interfaces. */
    final List<String> supertypes = new ArrayList<>();

    /**
     * @param bytes a class file
     * @throws IOException if it is none
     */
    ClassHeader(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        if (in.readInt() != 0xcafebabe) {
            throw new IOException("no class file");
        }
        in.readInt();
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        int[] classes = new int[count];
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1:
                    texts[i] = in.readUTF();
                    break;
                case 7:
                    classes[i] = in.readUnsignedShort();
                    break;
                case 8:
                case 16:
                case 19:
                case 20:
                    in.readUnsignedShort();
                    break;
                case 15:
                    in.readUnsignedByte();
                    in.readUnsignedShort();
                    break;
                case 5:
                case 6:
                    in.readLong();
                    i++;
                    break;
                case 3:
                case 4:
                case 9:
                case 10:
                case 11:
                case 12:
                case 17:
                case 18:
                    in.readInt();
                    break;
                default:
                    throw new IOException("no class file: a constant of kind " + tag);
            }
        }
        for (int name : classes) {
            if (name != 0 && text(texts, name).charAt(0) != '[') {
                named.add(texts[name]);
            }
        }
        in.readUnsignedShort();
        in.readUnsignedShort();
        int superclass = in.readUnsignedShort();
        if (superclass != 0) {
            supertypes.add(className(texts, classes, superclass));
        }
        for (int n = in.readUnsignedShort(); n != 0; n--) {
            supertypes.add(className(texts, classes, in.readUnsignedShort()));
        }
    }

    private static String className(String[] texts, int[] classes, int index) throws IOException {
        return text(texts, index < classes.length ? classes[index] : 0);
    }

    private static String text(String[] texts, int index) throws IOException {
        String text = index < texts.length ? texts[index] : null;
        if (text == null || text.isEmpty()) {
            throw new IOException("no class file: a class without a name");
        }
        return text;
    }
}
