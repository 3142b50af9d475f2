//! Frameworks of assertions, by the names of their classes.

/// Packages of the frameworks whose methods make assertions (dotted, with the last dot).
const FRAMEWORKS: [&str; 10] = [
    "org.junit.",
    "junit.framework.",
    "org.testng.",
    "org.opentest4j.",
    "org.hamcrest.",
    "org.assertj.",
    "com.google.common.truth.",
    "kotlin.test.",
    "io.kotest.",
    "org.spockframework.",
];

/// Is this class, by its binary name, that of failed assertions?
pub fn is_assertion(class: &str) -> bool {
    let named = class.ends_with("AssertionError") || class.ends_with("AssertionFailedError");
    let words = [
        "Assertion",
        "ComparisonFailure",
        "ConditionNotSatisfied",
        "MultipleFailures",
    ];
    named || is_framework(class) && words.iter().any(|word| class.contains(word))
}

/// Is this class, by its binary name, a framework's for assertions?
pub fn is_framework(class: &str) -> bool {
    FRAMEWORKS.iter().any(|package| class.starts_with(package))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_are_known_by_name() {
        for class in [
            "java.lang.AssertionError",
            "junit.framework.AssertionFailedError",
            "org.junit.ComparisonFailure",
            "org.opentest4j.MultipleFailuresError",
            "com.google.common.truth.ComparisonFailureWithFacts",
            "org.spockframework.runtime.ConditionNotSatisfiedError",
            "a.MyAssertionError",
        ] {
            assert!(is_assertion(class), "{class}");
        }
        for class in [
            "java.lang.Error",
            "a.ComparisonFailure",
            "org.junit.TestAbortedException",
        ] {
            assert!(!is_assertion(class), "{class}");
        }
    }
}
