//! A call as the small test that can be written for it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use jinsi_analysis::pipeline::{Case, Earlier, Run, Wanted};
use jinsi_analysis::report::json::Report;
use jinsi_files::temporary;
use jinsi_oracle::given::Given;
use jinsi_trace::model::EventId;

use super::messages::{Cannot, NoAnswer};
use crate::cli::answer::{shown, why_not};
use crate::cli::prepared::ReplayOptions;
use crate::cli::terminal::Terminal;

/// Writes tests of the calls of a run.
pub(in crate::cli) struct SmallTests<'a> {
    /// Its trace.
    pub(in crate::cli) file: &'a Path,
    /// If it is what is left of another run, or a replay of it, the trace of that: the tests are of the same calls there.
    pub(in crate::cli) whole: Option<&'a Path>,
    pub(in crate::cli) options: &'a ReplayOptions,
    /// Java is coloured.
    pub(in crate::cli) colours: bool,
}

impl SmallTests<'_> {
    /// The test that fails as long as the call gives what it gave: minimized, run, and without its comments.
    ///
    /// # Errors
    /// There is none: what the call gave is no result that another class got, or no written test fails so.
    pub(in crate::cli) fn of(&self, call: EventId) -> Result<String> {
        let mut progress = Terminal::new("writing the test of this call");
        let directory = temporary::directory().context(Cannot::Temporary)?;
        let prepared = self.options.prepare(None)?;
        let mut run = Run::open(self.whole.unwrap_or(self.file))?;
        let mut call = call;
        if self.whole.is_some() {
            let found = run.like(self.file, call)?;
            call = found.context(NoAnswer::OtherCall)?;
        }
        run.look_for(&Given::Value(call.to_string().parse()?))
            .context(NoAnswer::OnlyReturned)?;
        let wanted = Wanted {
            workers: 1,
            ..Wanted::default()
        };
        let case = Case::of(&run)?;
        let (config, out) = (&prepared.config, directory.path());
        let found = case.minimize(config, &wanted, out, &Earlier::default(), &mut progress)?;
        let report = Report::of(&found);
        let Some(file) = report.keep else {
            let why = report.levels.iter().rev().find_map(why_not);
            let why = why.or(report.keep_why_not);
            bail!(why.unwrap_or_else(|| NoAnswer::NothingLeft.to_string()));
        };
        let source = fs::read_to_string(directory.path().join(file))?;
        Ok(shown(&source, self.colours))
    }
}
