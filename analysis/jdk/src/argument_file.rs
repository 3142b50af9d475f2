//! Files with the arguments of `java` (`java @FILE`): one argument of a program may not be as long as some class paths are.

use std::ffi::OsString;
use std::path::Path;

/// The text of a file with these arguments, which the launcher gives to the JVM as they are.
pub fn text(arguments: &[String]) -> String {
    arguments.iter().map(|one| line(one)).collect()
}

/// The argument that names such a file.
pub fn argument(file: &Path) -> OsString {
    let mut argument = OsString::from("@");
    argument.push(file);
    argument
}

/// An argument in quotes, with what is special between them escaped.
fn line(argument: &str) -> String {
    let mut line = String::from("\"");
    for c in argument.chars() {
        match c {
            '\\' => line.push_str("\\\\"),
            '"' => line.push_str("\\\""),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            other => line.push(other),
        }
    }
    line.push_str("\"\n");
    line
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;
    use crate::{Jdk, compile, process};

    /// Prints its property and its arguments, each in brackets.
    const ECHO: &str = "class Echo { public static void main(String[] all) {\
        System.out.print('[' + System.getProperty(\"p\") + ']');\
        for (String one : all) System.out.print('[' + one + ']'); } }";

    #[test]
    fn the_launcher_reads_what_was_written() {
        let jdk = Jdk::find(None).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let source = directory.path().join("Echo.java");
        fs::write(&source, ECHO).unwrap();
        compile::javac(&jdk, &[source], &[], directory.path()).unwrap();
        let odd = [
            "a b",
            "\"q\" 'r'",
            "C:\\temp\\new",
            "@file",
            "#no",
            "",
            "two\nlines",
        ];
        let mut arguments = vec![
            "-Dp=x y".to_owned(),
            "-cp".to_owned(),
            directory.path().display().to_string(),
            "Echo".to_owned(),
        ];
        arguments.extend(odd.map(String::from));
        let file = directory.path().join("arguments");
        fs::write(&file, text(&arguments)).unwrap();
        let ended =
            process::run(jdk.command().arg(argument(&file)), Duration::from_secs(60)).unwrap();
        let expected: String = odd.iter().map(|one| format!("[{one}]")).collect();
        assert_eq!(ended.stdout, format!("[x y]{expected}"), "{}", ended.stderr);
    }
}
