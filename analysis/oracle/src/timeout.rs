//! Tests that took too long.

use jinsi_level::frameworks::{is_assertion, is_framework};

/// Exceptions that say so by their class: TestNG's, and what stands in a test of JUnit 3.
const TIMEOUTS: [&str; 2] = [
    "org.testng.internal.thread.ThreadTimeoutException",
    "java.util.concurrent.TimeoutException",
];

/// Does an exception of this class (binary name), with this message, say that a test took too long?
pub fn is_timeout(class: &str, message: &str) -> bool {
    let of_framework = is_framework(class) || is_assertion(class);
    TIMEOUTS.contains(&class) || of_framework && message.contains("timed out")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frameworks_say_that_a_test_took_too_long() {
        for (class, message) in [
            (
                "org.junit.runners.model.TestTimedOutException",
                "test timed out after 1000 milliseconds",
            ),
            (
                "org.opentest4j.AssertionFailedError",
                "execution timed out after 1000 ms",
            ),
            (
                "java.util.concurrent.TimeoutException",
                "ends() timed out after 1 second",
            ),
            ("org.testng.internal.thread.ThreadTimeoutException", ""),
        ] {
            assert!(is_timeout(class, message), "{class}");
        }
        let own = "a.Refused";
        assert!(!is_timeout(own, "the order timed out"));
        assert!(!is_timeout(
            "org.opentest4j.AssertionFailedError",
            "3, not 4"
        ));
    }
}
