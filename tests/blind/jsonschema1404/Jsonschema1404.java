package jsonschema1404;

import com.sun.codemodel.JCodeModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jsonschema2pojo.DefaultGenerationConfig;
import org.jsonschema2pojo.Jackson2Annotator;
import org.jsonschema2pojo.SchemaGenerator;
import org.jsonschema2pojo.SchemaMapper;
import org.jsonschema2pojo.SchemaStore;
import org.jsonschema2pojo.rules.RuleFactory;

/** Makes classes of schemas whose properties have dots in their names. */
public class Jsonschema1404 {
    private Jsonschema1404() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws IOException {
        make("{\"type\": \"object\", \"properties\": {\"size\": {\"type\": \"integer\"}}}");
        make("{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"type\": \"object\", \"properties\": {"
            + "\"org.hisp.dhis.common.FileTypeValueOptions\": {\"type\": \"object\", \"properties\": {"
            + "\"allowedContentTypes\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}},"
            + "\"maxFileSize\": {\"type\": \"integer\"}, \"version\": {\"type\": \"integer\"}}}},"
            + "\"required\": [\"org.hisp.dhis.common.FileTypeValueOptions\"]}");
    }

    /** Makes the class of a schema. */
    private static void make(String schema) throws IOException {
        DefaultGenerationConfig config = new DefaultGenerationConfig();
        RuleFactory rules = new RuleFactory(config, new Jackson2Annotator(config), new SchemaStore());
        Path directory = Files.createTempDirectory("schemas");
        Path file = directory.resolve("options.json");
        try {
            Files.writeString(file, schema);
            JCodeModel model = new JCodeModel();
            new SchemaMapper(rules, new SchemaGenerator()).generate(model, "Options", "example", file.toUri().toURL());
            System.out.println(model._getClass("example.Options").fields().keySet());
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }
}
