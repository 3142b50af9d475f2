//! `jinsi generate`: man pages and completions of shells, made from the command line itself. For who packs jinsi, so it is not in the help.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use serde::Serialize;

use super::Cli;
use super::messages;
use super::output::Output;

/// Shells, and where each looks for completions below `share`.
const SHELLS: [(Shell, &str, &str); 3] = [
    (Shell::Bash, "bash-completion/completions", "jinsi"),
    (Shell::Zsh, "zsh/site-functions", "_jinsi"),
    (Shell::Fish, "fish/vendor_completions.d", "jinsi.fish"),
];

/// Arguments of `generate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What is to become `share`: gets `man/man1` and a directory for each shell
    #[arg(value_name = "DIR")]
    share: PathBuf,
}

/// What was written.
#[derive(Serialize)]
struct Document {
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let mut files = pages(&args.share.join("man/man1"))?;
    for (shell, directory, name) in SHELLS {
        files.push(completions(shell, &args.share.join(directory).join(name))?);
    }
    let document = Document { files };
    out.result(&document, |to| {
        for file in &document.files {
            writeln!(to, "{}", file.display())?;
        }
        Ok(())
    })?;
    Ok(true)
}

/// One page for the command, and one for each subcommand.
fn pages(directory: &Path) -> Result<Vec<PathBuf>> {
    let unwritable = || messages::unwritten(directory);
    fs::create_dir_all(directory).with_context(unwritable)?;
    clap_mangen::generate_to(Cli::command(), directory).with_context(unwritable)?;
    let entries = fs::read_dir(directory).with_context(unwritable)?;
    let mut files = entries
        .map(|entry| Ok(entry.with_context(unwritable)?.path()))
        .collect::<Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

/// The command without its hidden subcommands, which completions would name.
fn shown() -> Command {
    let all = Cli::command();
    let subcommands = all.get_subcommands().filter(|c| !c.is_hide_set()).cloned();
    Command::new("jinsi")
        .args(all.get_arguments().cloned())
        .subcommands(subcommands.collect::<Vec<_>>())
}

fn completions(shell: Shell, file: &Path) -> Result<PathBuf> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut shown(), "jinsi", &mut text);
    if let Some(directory) = file.parent() {
        fs::create_dir_all(directory).with_context(|| messages::uncreated(directory))?;
    }
    fs::write(file, text).with_context(|| messages::unwritten(file))?;
    Ok(file.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_and_every_shell_its_completions() {
        let share = tempfile::tempdir().unwrap();
        let written = pages(&share.path().join("man1")).unwrap();
        let names: Vec<_> = written
            .iter()
            .map(|page| page.file_name().unwrap().to_str().unwrap().to_owned())
            .collect();
        for command in Cli::command().get_subcommands() {
            let page = format!("jinsi-{}.1", command.get_name());
            assert_eq!(names.contains(&page), !command.is_hide_set(), "{page}");
        }
        assert!(names.contains(&"jinsi.1".to_owned()));
        for (shell, _, name) in SHELLS {
            let file = completions(shell, &share.path().join(name)).unwrap();
            let text = fs::read_to_string(file).unwrap();
            assert!(text.contains("minimize") && !text.contains("generate"));
        }
    }
}
