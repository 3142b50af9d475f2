//! Options of the JVM that the agent has to know earlier than any interface of the JVM tells them.

use std::fs;
use std::io::Read;
use std::path::Path;

use jinsi_platform::process::command_line;

/// The JVM checks what native code does, and says on standard output that a signal handler is not its own.
const CHECKED: [&str; 2] = ["Xcheck:jni", "+CheckJNICalls"];
/// The JVM puts what it has loaded into an AOT cache (Java 24 and later).
const CACHED: [&str; 2] = ["AOTCacheOutput=", "AOTMode=record"];
/// Where options of a JVM come from beside its command line.
const VARIABLES: [&str; 3] = ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"];
/// How options name a file with more of them.
const FILES: [&str; 3] = ["@", "-XX:VMOptionsFile=", "-XX:Flags="];
/// No file of options is as long as this, in bytes.
const LONGEST: u64 = 1 << 16;

/// Are JNI calls checked? An option that is overridden, or is text of the program, counts as well, which costs little.
pub(crate) fn check_jni() -> bool {
    are_given(&CHECKED)
}

/// Is an AOT cache made of this run? HotSpot does not bear that classes of its own are rewritten then: it crashes when the program has ended.
pub(crate) fn make_a_cache() -> bool {
    are_given(&CACHED)
}

/// Does the command line have one of these, or one of the variables, or a file that they name?
fn are_given(wanted: &[&str]) -> bool {
    let variables = VARIABLES.iter().filter_map(std::env::var_os);
    let variables: Vec<_> = variables
        .map(|v| v.to_string_lossy().into_owned())
        .collect();
    let words = variables.iter().flat_map(|v| v.split_whitespace());
    let line = command_line();
    let line = line.iter().map(String::as_str);
    line.chain(words).any(|option| gives(option, wanted))
}

fn gives(option: &str, wanted: &[&str]) -> bool {
    let has = |text: &str| wanted.iter().any(|name| text.contains(name));
    let file = FILES.iter().find_map(|start| option.strip_prefix(start));
    has(option) || file.is_some_and(|path| has(&beginning(Path::new(path))))
}

/// What a file has, or nothing if it cannot be read or is something else than a file.
fn beginning(path: &Path) -> String {
    let mut bytes = Vec::new();
    if path.is_file()
        && let Ok(file) = fs::File::open(path)
    {
        // What was read before an error counts.
        let _ = file.take(LONGEST).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_files_of_options() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("arguments");
        fs::write(&path, "-Xmx100m\n-Xcheck:jni\n").unwrap();
        let path = path.display();
        assert!(gives("-Xcheck:jni", &CHECKED));
        assert!(gives("-XX:+CheckJNICalls", &CHECKED));
        assert!(gives(&format!("@{path}"), &CHECKED));
        assert!(gives(&format!("-XX:VMOptionsFile={path}"), &CHECKED));
        assert!(!gives(&format!("{path}"), &CHECKED));
        assert!(!gives("-XX:-CheckJNICalls", &CHECKED));
        assert!(!gives(
            &format!("@{}", directory.path().display()),
            &CHECKED
        ));
        assert!(!gives("@/dev/zero", &CHECKED));
        assert!(gives("-XX:AOTCacheOutput=app.aot", &CACHED));
        assert!(!gives("-XX:AOTCache=app.aot", &CACHED));
    }
}
