package univocity132;

import com.univocity.parsers.annotations.Parsed;
import com.univocity.parsers.common.processor.BeanListProcessor;
import com.univocity.parsers.csv.CsvParser;
import com.univocity.parsers.csv.CsvParserSettings;
import java.io.StringReader;

/** Reads orders, of which some columns are wanted. */
public class Univocity132 {
    private Univocity132() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        BeanListProcessor<Order> processor = new BeanListProcessor<Order>(Order.class);
        CsvParserSettings settings = new CsvParserSettings();
        settings.setProcessor(processor);
        settings.setHeaderExtractionEnabled(false);
        settings.setLineSeparatorDetectionEnabled(true);
        settings.getFormat().setComment('#');
        settings.getFormat().setDelimiter(';');
        CsvParser parser = new CsvParser(settings);
        parser.parse(new StringReader("0948;960567;0621;06215005852549;20160115;;1;0.000000;;;18;072;03212248/8486748;0;;"));
        for (Order order : processor.getBeans()) {
            System.out.println(order.orderNr + " " + order.pkNr + " " + order.status);
        }
    }

    /** An order. */
    public static class Order {
        @Parsed(index = 1)
        private int orderNr;
        @Parsed(index = 3)
        private String pkNr;
        @Parsed(index = 6)
        private int status;

        /** Makes one without any values. */
        public Order() {
        }
    }
}
