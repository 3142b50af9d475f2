package imaging342;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.Base64;
import org.apache.commons.imaging.Imaging;
import org.apache.commons.imaging.common.ImageMetadata;

/** Reads the comment of an image of one pixel. */
public class Imaging342 {
    /** The image, whose comment is in a chunk of international text. */
    private static final String PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAAGmlUWHRDb21tZW50AAAAAADihpIgVVRGLTggVGVzdDD4BGoA"
        + "AAAKSURBVHicY2AAAAACAAFIr6RxAAAAAElFTkSuQmCC";

    private Imaging342() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws Exception {
        byte[] image = Base64.getDecoder().decode(PNG);
        System.out.println(Imaging.getImageInfo(image).getWidth());
        ImageMetadata metadata = Imaging.getMetadata(image);
        assertNotNull(metadata);
        assertEquals(1, metadata.getItems().size());
        assertEquals("Comment: \u2192 UTF-8 Test", metadata.getItems().get(0).toString());
    }
}
