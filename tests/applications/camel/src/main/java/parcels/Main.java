package parcels;

import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;

/** Sends parcels on routes by what they weigh. */
public class Main {
    public static void main(String[] args) throws Exception {
        try (CamelContext context = new DefaultCamelContext()) {
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("direct:parcels").bean(new LabelReader()).bean(new Postage()).convertBodyTo(String.class);
                }
            });
            context.start();
            try (ProducerTemplate template = context.createProducerTemplate()) {
                for (String label : new String[] {"Bern;800;CH", "Graz;2500;AT", "Lyon;450;FR"}) {
                    System.out.println(template.requestBody("direct:parcels", label, String.class));
                }
            }
        }
    }
}
