//! `jinsi clean`: removes what the other commands have left.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_analysis::report::outputs::{self, Removed};
use serde::Serialize;

use super::advice::{self, Step};
use super::answer::USUAL;
use super::job::BUILDS;
use super::messages::{Cannot, NoAnswer, Way};
use super::output::Output;

const EXAMPLES: &str = "\
Examples:
  jinsi clean                    jinsi-report, target/jinsi and build/jinsi of this directory, and indexes and replays of its traces
  jinsi clean --traces           the traces in them, too
  jinsi clean report             that directory

Only what jinsi writes is removed, by its name: other files stay, and tests that are in a project are none of these.";

/// Where reports are unless something else was said: of the command, of the Maven plugin, of the Gradle plugin.
const PLACES: [&str; 3] = [USUAL, BUILDS[0], BUILDS[1]];

/// Arguments of `clean`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Directories of reports (default: those that are here by their usual names)
    #[arg(value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// Remove the traces, too, which cannot be made again, and answers that were given about them
    #[arg(long)]
    traces: bool,
}

#[derive(Serialize)]
struct Document {
    removed: Vec<PathBuf>,
    bytes: u64,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let mut removed = Removed::default();
    let mut clear = |directory: &Path| {
        let cleared = outputs::clear(directory, args.traces, &mut removed);
        cleared.with_context(|| {
            Cannot::Clear {
                path: directory.display(),
            }
            .to_string()
        })
    };
    match args.directories.as_slice() {
        [] => {
            for place in PLACES {
                for directory in reports(Path::new(place)) {
                    clear(&directory)?;
                }
            }
            outputs::clear_derived(Path::new("."), &mut removed)?;
        }
        named => {
            for directory in named {
                let reports = reports(directory);
                if reports.is_empty() {
                    return Err(no_report(directory));
                }
                for directory in reports {
                    clear(&directory)?;
                }
            }
        }
    }
    let document = Document {
        removed: removed.paths,
        bytes: removed.bytes,
    };
    out.result(&document, |to| {
        for path in &document.removed {
            writeln!(to, "removed  {}", path.display())?;
        }
        writeln!(to, "{} bytes in all", document.bytes)
    })?;
    Ok(true)
}

/// The directory, if it is that of a report; else those in it, if it has nothing but reports: the Gradle plugin has one for each task. Reports in a
/// directory of other things may be somebody else's.
fn reports(directory: &Path) -> Vec<PathBuf> {
    if outputs::is_report(directory) {
        return vec![directory.to_owned()];
    }
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let below: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    match below.iter().all(|path| outputs::is_report(path)) {
        true => below,
        false => Vec::new(),
    }
}

fn no_report(directory: &Path) -> anyhow::Error {
    let what = NoAnswer::NoReport {
        path: directory.display(),
    };
    let step = Step::new(Way::Usual, "jinsi clean");
    advice::error(what, vec![step])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn reports_of_others_stay() {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        for task in ["test", "slowTest"] {
            fs::create_dir(place(task)).unwrap();
            fs::write(place(task).join("report.json"), "{}").unwrap();
        }
        assert_eq!(reports(&place("test")), [place("test")]);
        assert_eq!(reports(directory.path()).len(), 2);
        fs::create_dir(place("of-somebody-else")).unwrap();
        assert!(reports(directory.path()).is_empty());
    }
}
