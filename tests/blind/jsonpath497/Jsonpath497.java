package jsonpath497;

import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.spi.json.JsonOrgJsonProvider;
import com.jayway.jsonpath.spi.mapper.JsonOrgMappingProvider;

/** Looks for a name in documents, at last in one with an empty object. */
public class Jsonpath497 {
    private Jsonpath497() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Configuration config = Configuration.defaultConfiguration()
                .jsonProvider(new JsonOrgJsonProvider())
                .mappingProvider(new JsonOrgMappingProvider());
        for (String json : new String[] {"{\"foo\": \"bar\"}", "{\"foo\": \"bar\", \"emptyObject\": {}}"}) {
            Object result = JsonPath.using(config).parse(json).read("$..foo");
            System.out.println(result);
        }
    }
}
