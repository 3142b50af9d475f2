//! The measures: listed here, done by a program of their own, which is built when one is asked for.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result};
use jinsi_repository::measures;

/// Whether these arguments ask for a measure, or for the help to one.
pub(crate) fn is_meant(arguments: &[OsString]) -> bool {
    let name = |at: usize| arguments.get(at).and_then(|name| name.to_str());
    let asked = match name(0) {
        Some("help") => name(1),
        first => first,
    };
    asked.is_some_and(measures::has)
}

/// Becomes the program of the measures, with the arguments as they are. Returns only if it cannot.
pub(crate) fn run(arguments: &[OsString]) -> Result<bool> {
    let program = measures::build("dev", io::stderr().is_terminal())?;
    let error = Command::new(&program).args(arguments).exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}

/// The measures as `cargo xtask --help` lists them.
pub(crate) fn for_help() -> impl Iterator<Item = clap::Command> {
    let measures = measures::ALL.iter();
    measures.map(|(name, about)| clap::Command::new(*name).about(*about))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_is_known_by_its_name() {
        let meant = |words: &[&str]| {
            let words: Vec<_> = words.iter().map(OsString::from).collect();
            is_meant(&words)
        };
        assert!(meant(&["corpus", "--only", "joda79"]));
        assert!(meant(&["help", "bench", "capture"]));
        assert!(!meant(&["demo", "corpus"]));
        assert!(!meant(&["help", "demo"]));
        assert!(!meant(&["--help"]));
        assert!(!meant(&[]));
    }

    #[test]
    fn help_lists_tasks_and_measures() {
        use clap::CommandFactory;

        let mut command = crate::Arguments::command().subcommands(for_help());
        command.build();
        let help = command.render_help().to_string();
        for name in [
            "demo",
            "test",
            "layers",
            "corpus",
            "bench",
            "train-dictionary",
        ] {
            assert!(help.contains(&format!("\n  {name} ")), "{help}");
        }
    }
}
