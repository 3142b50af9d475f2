//! Places of instructions that a replay ran: it has rewritten the recorded classes, so its instructions lie elsewhere.

use jinsi_level::project::project;
use jinsi_replay::rewrite::FlipSite;
use jinsi_replay::session;

use super::{Config, PipelineError, Run};

/// Whose instructions a trace has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// Those of the program, as it was recorded.
    Recorded,
    /// Those of a replay of the program.
    Replayed,
}

impl Run {
    /// Moves sites that were found in such a trace to where they are in the recorded classes.
    ///
    /// # Errors
    /// The recorded classes cannot be rewritten.
    pub(super) fn move_to_recorded(
        &self,
        sites: &mut [FlipSite],
        steps: Steps,
        config: &Config,
    ) -> Result<(), PipelineError> {
        if steps == Steps::Recorded || sites.is_empty() {
            return Ok(());
        }
        let observed = project(&self.history, &config.natural, &self.recorded()).observed;
        let recording = session::TraceTables::of(&self.trace)
            .of_several_threads(self.history.is_threaded())
            .with_initialized(self.history.statics().keys().cloned());
        let (_, layouts) = session::rewrite_for_recording(&recording, &config.natural, &observed)?;
        for site in sites {
            site.bci = layouts.original(&site.method, site.bci);
        }
        Ok(())
    }
}
