//! The failures of other kinds in the same recording, each in a directory of its own.

use super::{Job, Listener};
use crate::minimized::OtherFailure;
use crate::pipeline::{Case, Config, Earlier, Run};

/// Kinds of failures that are minimized beside the first one.
const MOST_OTHERS: usize = 4;

impl Job<'_> {
    /// Minimizes the first failure of each other kind. One that cannot be minimized says why; those beyond the bound are only listed.
    pub fn others(
        &self,
        run: &mut Run,
        config: &Config,
        listener: &mut dyn Listener,
    ) -> Vec<OtherFailure> {
        let mut others = run.other_failures();
        for other in others.iter_mut().take(MOST_OTHERS) {
            if self.wanted.stop.reason().is_some() {
                break;
            }
            let directory = self.out.join(other.directory());
            listener.part(&format!("failure {}", other.number));
            let done = run.turn_to_failure(other.number).and_then(|()| {
                Case::of(run)?.minimize(
                    config,
                    self.wanted,
                    &directory,
                    &Earlier::default(),
                    listener,
                )
            });
            let was = std::mem::take(other);
            *other = match done {
                Ok(done) => was.minimized(&done),
                Err(why) => was.left(&why),
            };
        }
        others
    }
}
