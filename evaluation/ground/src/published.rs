//! The published tests of libraries: what they are started with, whoever runs them, and how they are named.

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

/// A unique id without the identity hash codes that `Object.toString` has put there, which are new in every run.
pub fn without_hashes(id: &str) -> String {
    let mut parts = id.split('@');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push('@');
        text += part.trim_start_matches(|c: char| c.is_ascii_hexdigit() && !c.is_ascii_uppercase());
    }
    text
}
