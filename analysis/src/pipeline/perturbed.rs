//! Runs with slightly other arguments that do not fail, recorded with their instructions: what a failing run is compared with where nothing else is known.

use std::path::{Path, PathBuf};

use jinsi_files::temporary;
use jinsi_level::Engine;
use jinsi_level::verdict::{Mode, TestOutcome, TestResult};
use jinsi_replay::session;
use jinsi_replay::worker::{Worker, WorkerError};
use jinsi_search::levels::Replayer;
use jinsi_search::perturb::perturb;
use jinsi_trace::model::Detail;

use super::adapters::WorkerReplayer;
use super::expand::PATIENCE;
use super::slices::{NotSliced, SliceJob};
use super::{Case, Config, PipelineError, Run};

/// Changes that are tried, and runs that are recorded: each takes a JVM.
const TRIED: usize = 200;
const RECORDED: usize = 6;

/// A run that was recorded: its file, in a directory that goes with this.
pub type Perturbed = (PathBuf, temporary::Directory);

impl Run {
    /// Runs of all recorded classes, for real, in each of which one value of the driven arguments is another. Those that passed.
    ///
    /// # Errors
    /// The run cannot be done again for real, or does not fail then.
    pub fn perturbed(
        &self,
        config: &Config,
        agent: &Path,
    ) -> Result<Vec<Perturbed>, PipelineError> {
        self.check_jdk(config)?;
        let level = self.level_of_all(config, Engine::Direct);
        let all: Vec<u32> = level.interactions.iter().map(|one| one.no).collect();
        let mut replayer = WorkerReplayer::start(self, config, 1)?;
        replayer.load_level(&level)?;
        let plain = replayer.run(&all, Mode::Resynchronizing)?;
        if plain.outcome != TestOutcome::Failing {
            return Err(PipelineError::NotRun(plain.detail));
        }
        let found = perturb(&level, &all, (TRIED, RECORDED), &mut |change| {
            let varied = replayer.vary(std::slice::from_ref(change)).is_ok();
            varied
                && replayer
                    .run(&all, Mode::Resynchronizing)
                    .is_ok_and(|run| passed(&run))
        });
        drop(replayer);
        let record = |change| {
            let job = Case::of(self)
                .ok()?
                .job(config, agent, (&level, &all, Detail::Instructions), false)
                .ok()?;
            job.varied(&session::changes(&[change]).ok()?).ok()
        };
        Ok(found.into_iter().filter_map(record).collect())
    }
}

/// Without an exception, too: it may be another failure.
fn passed(run: &TestResult) -> bool {
    run.outcome == TestOutcome::Passing && run.exception.is_none()
}

impl SliceJob {
    /// Runs it with these changes where it is recorded.
    fn varied(self, changes: &[u8]) -> Result<Perturbed, NotSliced> {
        let ran = || -> Result<TestResult, WorkerError> {
            let mut worker = Worker::start(&self.worker)?;
            worker.load_file(&self.session())?;
            worker.vary(changes)?;
            let ran = worker.test(&self.kept, Mode::Resynchronizing)?;
            worker.quit(PATIENCE);
            Ok(ran)
        };
        let ran = ran().map_err(PipelineError::from)?;
        match passed(&ran) {
            true => Ok((self.recording(), self.directory)),
            false => Err(NotSliced::Differs(ran.detail)),
        }
    }
}
