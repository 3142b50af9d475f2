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

/// What the names of mocks have that Mockito and Spock make.
const MOCKS: [&str; 2] = ["$MockitoMock$", "$SpockMock$"];

/// What the names of other classes have that libraries make while a program runs: proxies, enhanced classes.
const GENERATED: [&str; 5] = [
    "$ByteBuddy$",
    "$HibernateProxy$",
    "$$EnhancerBy",
    "$$SpringCGLIB$$",
    "_$$_jvst",
];

/// Is a class of this name, binary or internal, that of mocks? They do what the test told them, not what the program does.
pub fn is_mock(class: &str) -> bool {
    MOCKS.iter().any(|mark| class.contains(mark))
}

/// Is a class of this name, binary or internal, made by a library while the program runs? No class path has it, and its name is another one each time.
pub fn is_generated(class: &str) -> bool {
    is_mock(class) || GENERATED.iter().any(|mark| class.contains(mark))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_at_run_time_is_known_by_its_name() {
        for class in [
            "a.Bell$MockitoMock$wX66XjPn",
            "a/Bell$MockitoMock$wX66XjPn$auxiliary$ppm",
            "a.Bell$$SpringCGLIB$$0",
            "a.Bell$HibernateProxy$x1",
        ] {
            assert!(is_generated(class), "{class}");
        }
        assert!(!is_generated("a.Bell$MockitoMocks") && !is_generated("a.Bell$1"));
        // Behind a proxy is the program.
        assert!(is_mock("a.Bell$MockitoMock$w") && !is_mock("a.Bell$$SpringCGLIB$$0"));
    }
}
