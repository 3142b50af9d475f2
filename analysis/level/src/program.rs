//! Which frames of a stack trace are the program's own.
//!
//! A failure is named by the first of them. Lines of the JDK differ from release to release, and test engines differ from project to project.

/// Beginnings of the names of classes that are not the program's: the JDK's, those of test engines and assertion
/// libraries, and those with which jinsi runs a test once more.
pub const NOT_THE_PROGRAMS: [&str; 24] = [
    "com.google.common.truth.",
    "com.sun.",
    "io.kotest.",
    "java.",
    "javax.",
    "jdk.",
    "jinsi.rerun.",
    "junit.",
    "kotlin.test.",
    "net.bytebuddy.",
    "org.apache.maven.surefire.",
    "org.apiguardian.",
    "org.assertj.",
    "org.codehaus.groovy.runtime.powerassert.",
    "org.gradle.",
    "org.hamcrest.",
    "org.junit.",
    "org.mockito.",
    "org.opentest4j.",
    "org.spockframework.",
    "org.testng.",
    "spock.",
    "sun.",
    "worker.org.gradle.",
];
/// Beginnings of the names of the JDK's classes.
const JDK: [&str; 5] = ["com.sun.", "java.", "javax.", "jdk.", "sun."];

/// May a class with this binary name be the program's?
pub fn is_the_programs(class: &str) -> bool {
    !NOT_THE_PROGRAMS
        .iter()
        .any(|begin| class.starts_with(begin))
}

/// Is a class with this binary name the JDK's?
pub fn is_the_jdks(class: &str) -> bool {
    JDK.iter().any(|begin| class.starts_with(begin))
}
