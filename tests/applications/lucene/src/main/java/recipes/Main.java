package recipes;

import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Looks for recipes, and prints them with what was looked for. */
public class Main {
    private static final List<String> RECIPES = List.of(
            "Onion soup: fry the onions slowly, add stock and serve with bread",
            "Bread: flour, water, salt and time",
            "Rice pudding: boil rice in milk, add sugar");

    public static void main(String[] args) throws Exception {
        ByteBuffersDirectory directory = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
            for (String recipe : RECIPES) {
                Document document = new Document();
                document.add(new TextField("text", recipe, Field.Store.YES));
                writer.addDocument(document);
            }
        }
        Excerpt excerpt = new Excerpt(12);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            for (String word : List.of("stock", "rice", "sugar")) {
                for (ScoreDoc found : searcher.search(new TermQuery(new Term("text", word)), 5).scoreDocs) {
                    String text = searcher.storedFields().document(found.doc).get("text");
                    System.out.println(excerpt.around(text, word));
                }
            }
        }
    }
}
