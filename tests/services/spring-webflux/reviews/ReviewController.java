package reviews;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@RestController
@RequestMapping("/products/{product}")
public class ReviewController {
    private final RatingService ratings;

    public ReviewController(RatingService ratings) {
        this.ratings = ratings;
    }

    @GetMapping("/rating")
    public Mono<Rating> rating(@PathVariable("product") String product) {
        return ratings.rating(product);
    }

    @GetMapping("/reviews")
    public Flux<Review> reviews(@PathVariable("product") String product) {
        return ratings.reviews(product).take(20);
    }

    @PostMapping("/reviews")
    @ResponseStatus(HttpStatus.CREATED)
    public Mono<Long> add(@PathVariable("product") String product, @RequestBody Review review) {
        return ratings.add(product, review);
    }

    @DeleteMapping("/reviews")
    public Mono<Long> removeSpam(@PathVariable("product") String product) {
        return ratings.removeSpam(product);
    }
}
