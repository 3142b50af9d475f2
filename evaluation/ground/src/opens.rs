//! What the published tests of libraries are started with, whoever runs them.

/// Packages of `java.base` into which libraries' own builds open a way for their tests.
const PACKAGES: [&str; 12] = [
    "lang",
    "lang.reflect",
    "lang.invoke",
    "util",
    "util.concurrent",
    "util.regex",
    "net",
    "nio",
    "text",
    "time",
    "time.chrono",
    "time.format",
];

/// The options of a JVM that open these.
pub fn options() -> impl Iterator<Item = String> {
    let opened = PACKAGES.iter();
    opened.map(|package| format!("--add-opens=java.base/java.{package}=ALL-UNNAMED"))
}
