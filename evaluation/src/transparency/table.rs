//! What is run: the published test suites, the programs of ours, and the differences that were looked into.

/// A library whose tests are published as a jar of their own.
pub(crate) struct Suite {
    /// Name for people and for `--only`.
    pub(crate) name: &'static str,
    /// Coordinates of the library; its tests have the classifier `tests`.
    pub(crate) library: &'static str,
    /// What the tests need besides JUnit, hamcrest included.
    pub(crate) needs: &'static [&'static str],
    /// Classes that are observed.
    pub(crate) observe: &'static str,
    /// Regular expression of the names of test classes, as the library's own build selects them, less what is in `leave_out`.
    pub(crate) classes: &'static str,
    /// Regular expression of names of test classes that are not run, and why.
    pub(crate) leave_out: (&'static str, &'static str),
}

/// A program of ours that uses a library; its source is in `evaluation/java/transparency/NAME`.
pub(super) struct Program {
    /// Name for people and for `--only`.
    pub(super) name: &'static str,
    /// Its main class.
    pub(super) main: &'static str,
    /// The library, and what it needs.
    pub(super) needs: &'static [&'static str],
    /// Classes that are observed: the program's and the library's.
    pub(super) observe: &'static str,
    /// Exit status it has to end with, lest a program that fails at once counts as the same.
    pub(super) status: i32,
}

/// A difference that was looked into, and is none of the program's behaviour.
pub(super) struct Reviewed {
    /// The suite's name.
    pub(super) suite: &'static str,
    /// Part of the test's unique id.
    pub(super) test: &'static str,
    /// Why it differs.
    pub(super) reason: &'static str,
}

const JUNIT4: &str = "junit:junit:4.13.2";
const MATH3: &str = "org.apache.commons:commons-math3:3.6.1";
const NUMBERS_CORE_1_0: &str = "org.apache.commons:commons-numbers-core:1.0";
/// All test classes are run.
const NONE: (&str, &str) = ("", "none");
const HAMCREST: &str = "org.hamcrest:hamcrest:2.2";
const LANG3: &str = "org.apache.commons:commons-lang3:3.14.0";
const EASYMOCK: [&str; 2] = ["org.easymock:easymock:5.2.0", "org.objenesis:objenesis:3.3"];
const PIONEER: &str = "org.junit-pioneer:junit-pioneer:1.9.1";
const JMH: &str = "org.openjdk.jmh:jmh-core:1.37";
const MOCKITO: &str = "org.mockito:mockito-core:5.20.0";
const BYTE_BUDDY: &str = "net.bytebuddy:byte-buddy:1.17.7";
const BYTE_BUDDY_AGENT: &str = "net.bytebuddy:byte-buddy-agent:1.17.7";
const GUAVA: [&str; 2] = [
    "com.google.guava:guava:33.3.1-jre",
    "com.google.guava:failureaccess:1.0.2",
];
const KOTLIN_STDLIB: &str = "org.jetbrains.kotlin:kotlin-stdlib:2.2.20";
const COROUTINES: &str = "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.8.0";

/// The compiler of the Kotlin program, and what it needs.
pub(super) const KOTLIN_COMPILER: &[&str] = &[
    "org.jetbrains.kotlin:kotlin-compiler-embeddable:2.2.20",
    KOTLIN_STDLIB,
    "org.jetbrains.kotlin:kotlin-script-runtime:2.2.20",
    "org.jetbrains.kotlin:kotlin-reflect:1.6.10",
    "org.jetbrains.kotlin:kotlin-daemon-embeddable:2.2.20",
    "org.jetbrains:annotations:13.0",
    COROUTINES,
];

/// The suites.
pub(crate) const SUITES: &[Suite] = &[
    Suite {
        name: "commons-lang3",
        library: LANG3,
        needs: &[
            JUNIT4,
            HAMCREST,
            PIONEER,
            EASYMOCK[0],
            EASYMOCK[1],
            JMH,
            "org.apache.commons:commons-text:1.11.0",
        ],
        observe: "org.apache.commons.*",
        classes: ".*Test",
        leave_out: (
            r".*(Abstract)[^.]*Test|.*HashSetvBitSetTest|.*FastDateParser(_TimeZoneStrategy)?Test",
            "abstract ones; HashSetvBitSetTest is a benchmark; the tests of the date parser try all time zones in all languages: each runs for \
             minutes without the agent",
        ),
    },
    Suite {
        name: "commons-collections4",
        library: "org.apache.commons:commons-collections4:4.4",
        needs: &[JUNIT4, HAMCREST, LANG3, EASYMOCK[0], EASYMOCK[1]],
        observe: "org.apache.commons.*",
        classes: ".*Test",
        leave_out: (
            r".*(Abstract)[^.]*Test|.*Reference(Identity)?MapTest|.*SequencesComparatorTest|.*DualTreeBidiMap2?Test|.*TreeListTest",
            "abstract ones; and of the others some of the slowest without the agent, because the whole suite takes 408 s and makes \
             517 million events with it",
        ),
    },
    Suite {
        name: "commons-math3",
        library: MATH3,
        needs: &[JUNIT4, HAMCREST],
        observe: "org.apache.commons.*",
        classes: ".*Test",
        leave_out: (
            r".*(Abstract)[^.]*Test|.*\.(dfp|genetics|ode|optim|optimization|random)\..*|.*(FastMath|FieldRotation\w*|PSquarePercentile|LegendreHighPrecision|KolmogorovSmirnovTest|DerivativeStructure)Test",
            "abstract ones; and those that compute for long: 2,031 of 6,446 tests, which take seven eighths of the time without \
             the agent",
        ),
    },
    Suite {
        name: "commons-io",
        library: "commons-io:commons-io:2.15.1",
        needs: &[
            JUNIT4,
            HAMCREST,
            LANG3,
            PIONEER,
            JMH,
            MOCKITO,
            BYTE_BUDDY,
            BYTE_BUDDY_AGENT,
            EASYMOCK[1],
            "com.google.jimfs:jimfs:1.3.0",
            GUAVA[0],
            GUAVA[1],
            "commons-codec:commons-codec:1.16.0",
        ],
        observe: "org.apache.commons.*",
        classes: ".*Test",
        leave_out: (r".*(Abstract)[^.]*Test", "abstract ones"),
    },
    // The first five components of Apache Commons by the names of their artifacts whose newest release has its tests on Maven Central, that
    // this repository had not named before, and whose tests need no database, server, native library or program, nor what only their own
    // build makes.
    Suite {
        name: "commons-dbutils",
        library: "commons-dbutils:commons-dbutils:1.8.1",
        needs: &[
            JUNIT4,
            HAMCREST,
            MOCKITO,
            BYTE_BUDDY,
            BYTE_BUDDY_AGENT,
            EASYMOCK[1],
        ],
        observe: "org.apache.commons.*",
        classes: ".*Test",
        leave_out: NONE,
    },
    Suite {
        name: "commons-fileupload",
        library: "commons-fileupload:commons-fileupload:1.6.0",
        needs: &[
            JUNIT4,
            HAMCREST,
            "commons-io:commons-io:2.19.0",
            "javax.servlet:servlet-api:2.4",
            "portlet-api:portlet-api:1.0",
        ],
        observe: "org.apache.commons.*",
        classes: ".*Test",
        leave_out: NONE,
    },
    Suite {
        name: "commons-geometry-core",
        library: "org.apache.commons:commons-geometry-core:1.0",
        needs: &[
            NUMBERS_CORE_1_0,
            "org.apache.commons:commons-numbers-fraction:1.0",
            "org.apache.commons:commons-rng-client-api:1.4",
            "org.apache.commons:commons-rng-core:1.4",
            "org.apache.commons:commons-rng-simple:1.4",
        ],
        observe: "org.apache.commons.*",
        classes: ".*Test",
        leave_out: NONE,
    },
    Suite {
        name: "commons-numbers-core",
        library: "org.apache.commons:commons-numbers-core:1.3",
        needs: &[
            "org.apache.commons:commons-rng-client-api:1.6",
            "org.apache.commons:commons-rng-core:1.6",
            "org.apache.commons:commons-rng-simple:1.6",
            MATH3,
        ],
        observe: "org.apache.commons.*",
        classes: ".*Test",
        leave_out: NONE,
    },
    Suite {
        name: "commons-rng-core",
        library: "org.apache.commons:commons-rng-core:1.7",
        needs: &["org.apache.commons:commons-rng-client-api:1.7", MATH3],
        observe: "org.apache.commons.*",
        classes: ".*Test",
        leave_out: NONE,
    },
];

/// The programs.
pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "guava",
        main: "demo.guava.Main",
        needs: &GUAVA,
        observe: "demo.*:com.google.common.*",
        status: 1,
    },
    Program {
        name: "jackson",
        main: "demo.jackson.Main",
        needs: &[
            "com.fasterxml.jackson.core:jackson-databind:2.17.2",
            "com.fasterxml.jackson.core:jackson-core:2.17.2",
            "com.fasterxml.jackson.core:jackson-annotations:2.17.2",
        ],
        observe: "demo.*:com.fasterxml.jackson.*",
        status: 1,
    },
    Program {
        name: "netty",
        main: "demo.netty.Main",
        needs: &[
            "io.netty:netty-common:4.1.115.Final",
            "io.netty:netty-buffer:4.1.115.Final",
            "io.netty:netty-resolver:4.1.115.Final",
            "io.netty:netty-transport:4.1.115.Final",
            "io.netty:netty-codec:4.1.115.Final",
        ],
        observe: "demo.*:io.netty.*",
        status: 3,
    },
    Program {
        name: "spring",
        main: "demo.spring.Main",
        needs: &[
            "org.springframework:spring-context:6.2.11",
            "org.springframework:spring-core:6.2.11",
            "org.springframework:spring-jcl:6.2.11",
            "org.springframework:spring-beans:6.2.11",
            "org.springframework:spring-aop:6.2.11",
            "org.springframework:spring-expression:6.2.11",
            "io.micrometer:micrometer-observation:1.14.11",
            "io.micrometer:micrometer-commons:1.14.11",
        ],
        observe: "demo.*:org.springframework.*",
        status: 1,
    },
    Program {
        name: "kotlin",
        main: "demo.kotlin.MainKt",
        needs: &[KOTLIN_STDLIB, COROUTINES, "org.jetbrains:annotations:13.0"],
        observe: "demo.*:kotlin.*:kotlinx.*",
        status: 1,
    },
];

/// Differences that were looked into.
pub(super) const REVIEWED: &[Reviewed] = &[Reviewed {
    suite: "commons-dbutils",
    test: "AsyncQueryRunnerTest]/[test:testInsertUsesGivenQueryRunner",
    reason: "it asks a mock what another thread has called without waiting for that thread, and ends both ways without the agent",
}];

/// Names of everything that can be run.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let suites = SUITES.iter().map(|suite| suite.name);
    suites.chain(PROGRAMS.iter().map(|program| program.name))
}
