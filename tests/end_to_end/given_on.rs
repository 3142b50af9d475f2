//! Numbers, texts and lists that a test has from the program and gives to it again, or compares with: they stay calls in the written test.

use super::repairs::Repairable;

const FERRY: &str = r#"package ferry;

import java.util.Arrays;
import java.util.List;

public class Ferry {
    private List<String> stops = Arrays.asList("Ost", "West");

    public int minutes(int hours, int rest) {
        return 60 * hours + rest;
    }

    public int minutes(String clock) {
        String[] parts = clock.split(":");
        return /* MINUTES */minutes(1, 0)/* MINUTES */ + Integer.parseInt(parts[1]);
    }

    public int lanes(int metres) {
        return metres / 3 /* LANES */+ 1/* LANES */;
    }

    public int cars(int lanes) {
        return 4 * lanes;
    }

    public void callAt(String... stops) {
        this.stops = Arrays.asList(stops);
    }

    public List<String> stops() {
        return stops;
    }

    public Ferry back() {
        Ferry back = new Ferry();
        /* BACK *//* BACK */
        return back;
    }
}
"#;

const TEST: &str = r#"package ferry;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class FerryTest {
    private final Ferry ferry = new Ferry();

    @Test
    void readsTheClock() {
        assertEquals(ferry.minutes(2, 30), ferry.minutes("2:30"));
    }

    @Test
    void takesCars() {
        int lanes = ferry.lanes(7);
        assertEquals(8, ferry.cars(lanes));
    }

    @Test
    void goesBackTheSameWay() {
        ferry.callAt("West", "Mitte", "Ost");
        Ferry back = ferry.back();
        assertEquals(ferry.stops(), back.stops());
    }
}
"#;

const REPAIRS: [(&str, &str); 3] = [
    ("/* MINUTES */", "minutes(Integer.parseInt(parts[0]), 0)"),
    ("/* LANES */", ""),
    ("/* BACK */", "back.stops = stops;"),
];

#[test]
fn what_a_test_gives_on_stays_a_call() {
    let mut right = FERRY.to_owned();
    for (mark, repair) in REPAIRS {
        let parts: Vec<&str> = right.split(mark).collect();
        right = format!("{}{repair}{}", parts[0], parts[2]);
    }
    let program = Repairable {
        package: "ferry",
        broken: &[("Ferry", FERRY)],
        repaired: &[("Ferry", &right)],
        tests: &[("FerryTest", TEST)],
        files: &[],
    };
    let tried = program.tried(&["detail=boundary"]);
    tried.assert_flips(&[
        ("readsTheClock", "ferry.minutes(2, 30)"),
        ("takesCars", "ferry.lanes(7)"),
        ("goesBackTheSameWay", ".callAt("),
    ]);
}
