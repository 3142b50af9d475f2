package jinsi.build;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectClassesTest {
    @TempDir
    Path directory;

    private Path classes(String name, String... files) throws IOException {
        Path place = directory.resolve(name);
        for (String file : files) {
            Path path = place.resolve(file);
            Files.createDirectories(path.getParent());
            Files.write(path, new byte[0]);
        }
        return place;
    }

    @Test
    void aPackageStandsForThoseBelowIt() throws IOException {
        Path main = classes("main", "a/b/C.class", "a/b/d/E.class", "Top.class", "module-info.class", "a/b/notes.txt", "META-INF/versions/9/x/Y.class");
        assertEquals(Arrays.asList("Top", "a.b.*"), ProjectClasses.packages(Arrays.asList(main, directory.resolve("none"))));
    }

    @Test
    void theClassesOfAJarCountToo() throws IOException {
        Path jar = directory.resolve("other.jar");
        try (OutputStream out = Files.newOutputStream(jar); ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("q/Other.class"));
        }
        Path main = classes("main", "p/C.class");
        assertEquals(Arrays.asList("p.*", "q.*"), ProjectClasses.packages(Arrays.asList(main, jar)));
    }
}
