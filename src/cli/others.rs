//! The failures of other kinds in the same recording, each in a directory of its own.

use std::path::Path;

use anyhow::Result;
use jinsi_analysis::minimized::{MinimizedRun, OtherFailure};
use jinsi_analysis::pipeline::{Case, Config, Earlier, PipelineError, Run};

use super::job::Job;
use super::terminal::Terminal;

/// Kinds of failures that are minimized beside the first one.
const MOST_OTHERS: usize = 4;

/// The work on the failures of one recording.
pub(super) struct Work<'a, 'b> {
    pub(super) job: &'a Job<'b>,
    pub(super) config: &'a Config,
    pub(super) progress: Terminal,
}

impl Work<'_, '_> {
    /// Minimizes the failure of `run`, with the report in `directory`.
    pub(super) fn minimize(
        &mut self,
        run: &Run,
        directory: &Path,
        earlier: &Earlier,
    ) -> Result<MinimizedRun, PipelineError> {
        let wanted = self.job.wanted;
        Case::of(run)?.minimize(self.config, wanted, directory, earlier, &mut self.progress)
    }

    /// Minimizes the first failure of each other kind. One that cannot be minimized says why; those beyond the bound are only listed.
    pub(super) fn others(&mut self, run: &mut Run) -> Result<Vec<OtherFailure>> {
        let mut others = run.other_failures();
        for other in others.iter_mut().take(MOST_OTHERS) {
            if self.job.wanted.stop.reason().is_some() {
                break;
            }
            let directory = self.job.common.out.join(other.directory());
            self.progress.say(format!("failure {}", other.number));
            let done = run.turn_to_failure(other.number);
            let done = done.and_then(|()| self.minimize(run, &directory, &Earlier::default()));
            let was = std::mem::take(other);
            *other = match done {
                Ok(done) => was.minimized(&done),
                Err(why) => was.left(&why),
            };
        }
        Ok(others)
    }
}
