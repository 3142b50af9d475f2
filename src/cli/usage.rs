//! Calls that the command line's grammar refuses: those that are mistyped most often get an answer of their own.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use anyhow::Error;
use clap::error::ErrorKind;

use super::advice::{self, Step};
use super::messages::{Usage, Way};

/// Commands that run a program.
const RUNNING: [&str; 2] = ["debug", "record"];

/// What programs are started with.
const STARTERS: [&str; 10] = [
    "java", "mvn", "mvnw", "gradle", "gradlew", "kotlin", "scala", "sbt", "sh", "bash",
];

/// An answer to a call that was refused so; `None` where the grammar's own says all. `arguments` begins with the name of this command.
pub(super) fn explained(refused: &clap::Error, arguments: &[OsString]) -> Option<Error> {
    let given = arguments.get(1..)?;
    if given.iter().any(|a| a == "--") {
        return None;
    }
    match refused.kind() {
        ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand | ErrorKind::TooManyValues => {
            missing_dashes(given)
        }
        ErrorKind::MissingRequiredArgument => missing_program(given),
        _ => None,
    }
}

fn is_running(argument: &OsString) -> bool {
    RUNNING.iter().any(|name| argument == name)
}

/// The place of what looks like the beginning of a program's command line.
fn program(given: &[OsString]) -> Option<usize> {
    let is_starter = |argument: &OsString| {
        let name = Path::new(argument).file_name();
        STARTERS.iter().any(|s| name == Some(OsStr::new(s)))
    };
    given.iter().position(is_starter)
}

fn missing_dashes(given: &[OsString]) -> Option<Error> {
    let at = program(given)?;
    let (before, program) = given.split_at(at);
    let name = program.first()?.to_string_lossy();
    let mut call = vec![OsString::from("jinsi")];
    if !before.iter().any(is_running) {
        call.push("debug".into());
    }
    call.extend_from_slice(before);
    call.push("--".into());
    call.extend_from_slice(program);
    let what = Usage::NoDashes { name: &name };
    Some(advice::error(
        what,
        vec![Step::new(Way::SoItIs, advice::command(&call))],
    ))
}

fn missing_program(given: &[OsString]) -> Option<Error> {
    let command = given.iter().find(|a| is_running(a))?.to_string_lossy();
    if let Some(error) = missing_dashes(given) {
        return Some(error);
    }
    let call = advice::command(given);
    let what = Usage::NoProgram { command: &command };
    let step = Step::new(
        Way::SuchAs,
        format!("jinsi {call} -- java -cp app.jar com.foo.Main"),
    );
    Some(advice::error(what, vec![step]))
}
