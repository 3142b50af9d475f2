//! Errors that say what to do next: what was seen, and for each way on what it is for and the command.

use std::ffi::OsStr;
use std::fmt::{Display, Write};
use std::path::Path;

use anyhow::Error;

/// Widest column of what a command is for; a longer one has its command on the line below.
const WIDEST: usize = 56;

/// A way on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When, or what for.
    when: String,
    /// The command, as it can be copied into a shell; or what else to do.
    command: String,
}

impl Step {
    /// `when`: what the command is for; `command`: as it is typed, beginning with `jinsi` if it is one of ours.
    pub fn new(when: impl Display, command: impl Into<String>) -> Self {
        Self {
            when: when.to_string(),
            command: command.into(),
        }
    }
}

/// An error with ways on.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct Advised {
    what: String,
    next: Vec<Step>,
    /// The call was wrong, as the command line's grammar would have said if it could.
    usage: bool,
}

/// An error that says this, and these ways on.
pub fn error(what: impl Display, next: Vec<Step>) -> Error {
    Error::new(Advised {
        what: what.to_string(),
        next,
        usage: false,
    })
}

/// The call is wrong, in a way that the command line's grammar does not know.
pub fn usage(what: impl Display) -> Error {
    usage_with(what, Vec::new())
}

/// The same, with ways on.
pub fn usage_with(what: impl Display, next: Vec<Step>) -> Error {
    Error::new(Advised {
        what: what.to_string(),
        next,
        usage: true,
    })
}

/// Was the call wrong?
pub fn is_usage(error: &Error) -> bool {
    let advised = error.chain().find_map(|cause| cause.downcast_ref());
    advised.is_some_and(|advised: &Advised| advised.usage)
}

/// The error and what led to it, in one line. What an error says of its cause by itself is not said twice.
pub fn text(error: &Error) -> String {
    let mut all = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if all.is_empty() {
            all = cause;
        } else if !all.ends_with(&cause) {
            // Writing to a String cannot fail.
            let _ = write!(all, ": {cause}");
        }
    }
    all
}

/// The ways on that the error knows.
pub fn next(error: &Error) -> &[Step] {
    let advised = error.chain().find_map(|cause| cause.downcast_ref());
    advised.map_or(&[], |advised: &Advised| &advised.next)
}

/// The ways on, a line each: what they are for, and the commands below each other.
pub fn lines(next: &[Step]) -> String {
    let short = |step: &&Step| step.when.chars().count() <= WIDEST;
    let widths = next.iter().filter(short).map(|s| s.when.chars().count());
    let width = widths.max().unwrap_or(0);
    let mut text = String::new();
    for step in next {
        let command = called(&step.command);
        let _ = match short(&step) {
            true => writeln!(text, "  {:<width$}  {command}", step.when),
            false => writeln!(text, "  {}\n  {:width$}  {command}", step.when, ""),
        };
    }
    text
}

/// The command line, with this command called as it was this time: it need not be on the PATH.
pub fn called(command: &str) -> String {
    let own = std::env::args_os().next();
    match (command.strip_prefix("jinsi "), own) {
        (Some(rest), Some(own)) => format!("{} {rest}", quoted(&own)),
        _ => command.to_owned(),
    }
}

/// An argument as a shell takes it.
pub fn quoted(argument: &OsStr) -> String {
    let text = argument.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+%@".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// A path as a shell takes it.
pub fn path(path: &Path) -> String {
    quoted(path.as_os_str())
}

/// A command line as a shell takes it.
pub fn command<S: AsRef<OsStr>>(arguments: &[S]) -> String {
    let all: Vec<String> = arguments.iter().map(|a| quoted(a.as_ref())).collect();
    all.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn nothing_is_said_twice() {
        let system = std::io::Error::other("no such thing");
        let read = jinsi_trace::reader::ReadError::Io {
            path: "t.jinsi".into(),
            source: system,
        };
        let error = Err::<(), _>(read).context("a b").unwrap_err();
        assert_eq!(text(&error), "a b: cannot read t.jinsi: no such thing");
    }

    #[test]
    fn commands_can_be_copied() {
        let arguments = ["java", "-cp", "a b", "x.Main", "it's", "com.*", ""];
        assert_eq!(
            command(&arguments),
            r"java -cp 'a b' x.Main 'it'\''s' 'com.*' ''"
        );
    }

    #[test]
    fn ways_on_stand_below_each_other() {
        let long = "x".repeat(WIDEST + 1);
        let steps = [
            Step::new("short", "a"),
            Step::new("longer", "b"),
            Step::new(long.clone(), "c"),
        ];
        let expected = format!("  short   a\n  longer  b\n  {long}\n          c\n");
        assert_eq!(lines(&steps), expected);
    }
}
