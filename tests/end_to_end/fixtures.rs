//! What tests bring along: temporary directories, classes of their own that stand in for others, tables of what they expect, class loaders.

use super::repairs::Repairable;

/// `/* … */` is replaced in the repaired one.
const SHELF: &str = r#"package shelf;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URL;
import java.util.Map;

public class Shelf {
    public abstract static class Labels {
        protected abstract String of(String title);

        public String quoted(String title) {
            return '<' + of(title) + '>';
        }
    }

    private final Labels labels;

    public Shelf(Labels labels) {
        this.labels = labels;
    }

    public String label(String title) {
        return labels.quoted(/* LABEL */title + " "/* LABEL */);
    }

    public static String shortened(String title) {
        return title.substring(0, /* SHORT */2/* SHORT */);
    }

    public static String shelved(Map<String, Object> book) {
        return book.get("title") + " " + book./* SHELVED */get("titles")/* SHELVED */;
    }

    public static String nameOf(ClassLoader loader, String resource) {
        URL found = loader.getResource(resource);
        return found == null ? "none" : /* NAME */found.getProtocol()/* NAME */;
    }

    public static void store(File directory) throws IOException {
        if (/* STORE */directory.isDirectory()/* STORE */) {
            throw new FileNotFoundException("no directory: " + directory);
        }
    }
}
"#;

/// A class that cannot be initialized.
const SIZES: &str = r#"package shelf;

public class Sizes {
    private static final int[] WIDTHS = new int[2];

    static {
        String[] all = "12, 14".split(",");
        for (int i = 0; i < all.length; i++) {
            WIDTHS[i] = Integer.parseInt(all[i]);
        }
    }

    public static boolean fits(int width) {
        return width <= WIDTHS[1];
    }
}
"#;

const SIZES_TEST: &str = r#"package shelf;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SizesTest {
    @Test
    void fits() {
        assertTrue(Sizes.fits(13));
    }
}
"#;

const TEST: &str = r#"package shelf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShelfTest {
    private static final Table SHORTENED = new Table("Emma", "Emm", "Ulysses", "Uly");

    private final char mark = Character.toChars('*')[0];

    @TempDir
    Path place;

    @Test
    void storesInADirectory() throws IOException {
        File books = new File(place.toFile(), "books");
        books.mkdir();
        Shelf.store(books);
    }

    @Test
    void quotesLabels() {
        Shelf shelf = new Shelf(new Upper('.'));
        assertEquals("<EMMA.>", shelf.label("Emma"));
    }

    @Test
    void marksTitles() {
        Shelf shelf = new Shelf(new Shelf.Labels() {
            private int asked;

            @Override
            protected String of(String title) {
                return mark + title + asked++;
            }
        });
        assertEquals("<*Emma0>", shelf.label("Emma"));
    }

    @Test
    void shortensTitles() {
        for (Map.Entry<String, String> row : SHORTENED.entrySet()) {
            assertEquals(row.getValue(), Shelf.shortened(row.getKey()));
        }
    }

    @Test
    void shelvesByKind() {
        Map<String, Object> book = new HashMap<>();
        book.put("title", "Emma");
        book.put("kind", Kind.NOVEL);
        assertEquals("Emma NOVEL", Shelf.shelved(book));
    }

    @Test
    void namesResources() {
        assertEquals("Shelf", Shelf.nameOf(getClass().getClassLoader(), "shelf/Shelf.class"));
    }

    private enum Kind {
        NOVEL, POEM
    }

    private static final class Upper extends Shelf.Labels {
        private final char end;

        private Upper(char end) {
            this.end = end;
        }

        @Override
        protected String of(String title) {
            return title.toUpperCase() + end;
        }
    }

    private static final class Table extends HashMap<String, String> {
        Table(String... all) {
            for (int i = 0; i < all.length; i += 2) {
                put(all[i], all[i + 1]);
            }
        }
    }
}
"#;

#[test]
fn what_a_test_brings_along_is_in_the_written_one() {
    let repaired = SHELF
        .replace("/* LABEL */title + \" \"/* LABEL */", "title")
        .replace("/* SHORT */2/* SHORT */", "3")
        .replace("/* SHELVED */get(\"titles\")/* SHELVED */", "get(\"kind\")")
        .replace("/* NAME */found.getProtocol()/* NAME */", "\"Shelf\"")
        .replace(
            "/* STORE */directory.isDirectory()/* STORE */",
            "!directory.isDirectory()",
        );
    let sizes = SIZES.replace("all[i]);", "all[i].trim());");
    let shelf = Repairable {
        package: "shelf",
        broken: &[("Shelf", SHELF), ("Sizes", SIZES)],
        repaired: &[("Shelf", &repaired), ("Sizes", &sizes)],
        tests: &[("ShelfTest", TEST), ("SizesTest", SIZES_TEST)],
        files: &[],
    };
    shelf.tried(&[]).assert_flips(&[
        // The message names another directory in each run.
        ("storesInADirectory", "Shelf.store("),
        // A private class has no other way.
        ("quotesLabels", r#"Class.forName("shelf.ShelfTest$Upper")"#),
        // An inner one needs the test.
        (
            "marksTitles",
            "getDeclaredConstructor(ShelfTest.class); constructor.setAccessible(true);",
        ),
        ("shortensTitles", "Shelf.shortened("),
        (
            "shelvesByKind",
            r#"Enum.valueOf((Class) Class.forName("shelf.ShelfTest$Kind"), "NOVEL")"#,
        ),
        ("fits", r#"Class.forName("shelf.Sizes")"#),
        (
            "namesResources",
            "Shelf.nameOf(Thread.currentThread().getContextClassLoader(), \"shelf/Shelf.class\")",
        ),
    ]);
}
