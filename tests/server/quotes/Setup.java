package quotes;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** What Spring is to do. */
@Configuration
@EnableWebMvc
public class Setup {}
