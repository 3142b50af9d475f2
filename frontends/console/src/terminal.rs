//! Progress of the search on a terminal.

use jinsi_analysis::job::Listener;
use jinsi_analysis::pipeline::Progress;
use jinsi_search::ddmin::Verdict;
use jinsi_search::levels::{self, LevelResult, LevelSpec};

use crate::output::note;
use crate::progress::Spinner;

/// Progress of the search on a terminal.
pub struct Terminal {
    spinner: Spinner,
    level: String,
    tests: u64,
}

impl Terminal {
    /// Says first what is done before the search.
    pub fn new(what: &str) -> Self {
        Self {
            spinner: Spinner::new(what),
            level: String::new(),
            tests: 0,
        }
    }
}

impl levels::Progress for Terminal {
    fn level_started(&mut self, spec: &LevelSpec, of: usize, interactions: usize) {
        self.level = format!(
            "level {} of {of}, {}: {interactions} interactions",
            spec.level,
            spec.joins.replace('/', ".")
        );
        self.tests = 0;
        self.spinner.say(self.level.clone());
    }

    fn tested(&mut self, size: usize, _verdict: &Verdict) {
        self.tests += 1;
        self.spinner
            .say(format!("{}, test {} with {size}", self.level, self.tests));
    }

    fn level_finished(&mut self, _result: &LevelResult) {}
}

impl Progress for Terminal {
    fn part(&mut self, name: &str) {
        self.spinner.say(name.to_owned());
    }
}

impl Listener for Terminal {
    fn note(&mut self, text: &str) {
        note(text);
    }
}
