//! `jinsi slice`: the source lines that made something happen.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use jinsi_analysis::slice::criterion::Criterion;
use jinsi_analysis::slice::{self, Line, Slice};
use jinsi_trace::reader::Trace;

use super::output::{Output, note};

const EXAMPLES: &str = "\
Examples:
  jinsi slice run.jinsi                                what made the run fail
  jinsi slice run.jinsi --at com.foo.Bar:42            what went into line 42, the last time it ran
  jinsi slice run.jinsi --at Bar:42:count#3            into the variable count, the third time
  jinsi slice run.jinsi --source src/main/java         with the text of the lines

The trace has to be recorded with detail=instructions. Lines that are listed decided that the criterion was reached, or computed what
it used; code that was not recorded and that the slice went through is named behind them.";

/// Arguments of `slice`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The trace
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// What to explain: CLASS:LINE[:VAR][#OCCURRENCE] (default: the failure)
    #[arg(long, value_name = "PLACE")]
    at: Option<Criterion>,
    /// Directory of sources, above the packages; may be repeated
    #[arg(long, value_name = "DIR")]
    source: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let trace = Trace::open(&args.trace)?;
    let slice = slice::slice(&trace, args.at.clone())?;
    let mut sources = Sources::new(&args.source);
    out.result(&slice, |to| print(&slice, &mut sources, to))?;
    for damage in trace.damage() {
        note(&format!("{}: {damage}", args.trace.display()));
    }
    Ok(true)
}

fn print(slice: &Slice, sources: &mut Sources<'_>, to: &mut dyn Write) -> io::Result<()> {
    let mut class = "";
    for line in &slice.lines {
        if line.class != class {
            class = &line.class;
            writeln!(to, "{class}")?;
        }
        let methods: Vec<&str> = line.methods.iter().map(String::as_str).collect();
        write!(to, "{:>6} | ", line.line)?;
        match sources.text(line) {
            Some(text) => write!(to, "{text}")?,
            None => write!(to, "{}", methods.join(", "))?,
        }
        if !line.values.is_empty() {
            write!(to, "    // {}", line.values.join("; "))?;
        }
        writeln!(to)?;
    }
    for crossing in &slice.crossings {
        writeln!(
            to,
            "not followed: {} ({} times)",
            crossing.what, crossing.times
        )?;
    }
    writeln!(
        to,
        "{} lines, {} of {} executed instructions, explain {}",
        slice.lines.len(),
        slice.occurrences,
        slice.executed,
        slice.criterion
    )
}

/// Source files, read when first asked for.
struct Sources<'a> {
    directories: &'a [PathBuf],
    files: HashMap<PathBuf, Option<Vec<String>>>,
}

impl<'a> Sources<'a> {
    fn new(directories: &'a [PathBuf]) -> Self {
        Self {
            directories,
            files: HashMap::new(),
        }
    }

    /// The text of a line; `None` if its file is not found.
    fn text(&mut self, line: &Line) -> Option<&str> {
        let package = line
            .class
            .rsplit_once('.')
            .map_or("", |(package, _)| package);
        let path = Path::new(&package.replace('.', "/")).join(line.file.as_ref()?);
        let directories = self.directories;
        let lines = self.files.entry(path.clone()).or_insert_with(|| {
            directories.iter().find_map(|directory| {
                let bytes = fs::read(directory.join(&path)).ok()?;
                Some(
                    String::from_utf8_lossy(&bytes)
                        .lines()
                        .map(str::to_owned)
                        .collect(),
                )
            })
        });
        let text = lines.as_ref()?.get(usize::from(line.line) - 1)?;
        Some(text.trim_end())
    }
}
