//! The test that is best kept, and why.

use super::{MinimizedLevel, MinimizedRun, Reproduction, WrittenTest};
use jinsi_testwriter::Form;
use jinsi_testwriter::measure::Measure;

/// What speaks for a test, the strongest first. Less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Merits {
    /// What it needs that a project does not have.
    form: Form,
    /// It shows the recorded classes, whatever becomes of them.
    recorded: bool,
    /// What in it is hidden.
    opaque: usize,
    /// It starts the whole program, or just calls the test that failed.
    calls_all: bool,
    /// The defect may be in code that it does not call.
    below: bool,
    /// What there is to read.
    lines: usize,
    /// How far from the place where the failure shows.
    level: u32,
}

impl Merits {
    /// `test`: the test that failed, `Class.method`, if it was one.
    fn of((level, written): (&MinimizedLevel, &WrittenTest), test: &str) -> Self {
        let calls_all = level.kept.last().is_some_and(|last| {
            let of_test = test.strip_prefix(last.class.as_str());
            last.is_main || of_test.is_some_and(|rest| rest.starts_with('.'))
        });
        let Measure {
            opaque,
            lines,
            recorded,
        } = written.measure;
        Self {
            form: written.form,
            recorded,
            opaque,
            calls_all,
            below: !level.result.spec.by_test,
            lines,
            level: level.result.spec.level,
        }
    }

    /// What decided against `other`, the best of those that are worse.
    fn against(&self, other: &Self) -> &'static str {
        if self.form != other.form {
            match other.form {
                Form::Plain | Form::Mockito => "the next best one needs Mockito",
                Form::Replay => "the next best one needs the recording",
            }
        } else if self.recorded != other.recorded {
            "the next best one shows the recorded classes only"
        } else if self.opaque != other.opaque {
            "more of the next best one is hidden in the recording"
        } else if self.calls_all != other.calls_all {
            "the next best one runs all that failed"
        } else if self.below != other.below {
            "the defect may be in code that the next best one does not call"
        } else if self.lines != other.lines {
            "the next best one is longer"
        } else {
            "the next best one is further from where the failure shows"
        }
    }
}

/// What the test needs.
fn need(form: Form, recorded: bool, runs_with: &str) -> String {
    match form {
        Form::Plain => format!("It needs nothing but {runs_with}"),
        Form::Mockito => format!("It needs {runs_with} and Mockito, and no recording"),
        Form::Replay if recorded => {
            "It needs the recording and jinsi's JUnit extension, and stays red after a repair"
                .into()
        }
        Form::Replay => "It needs the recording and jinsi's JUnit extension".into(),
    }
}

impl WrittenTest {
    /// What it is good for: its form in words.
    pub fn words(&self) -> String {
        match self.form {
            Form::Plain => "plain Java: keep it",
            Form::Mockito => "plain Java with Mockito: keep it",
            Form::Replay if self.measure.recorded => {
                "needs jinsi, and shows the recorded classes only: to debug with, not to keep"
            }
            // It turns green with the repair, but a project then has a recording among its resources.
            Form::Replay => "needs jinsi and the recording: to debug with, and to keep only for want of a plainer one",
        }
        .into()
    }
}

impl MinimizedRun {
    /// The test that is best kept, of those that fail as recorded.
    pub fn keep(&self) -> Option<(&MinimizedLevel, &WrittenTest)> {
        self.reproduced().min_by_key(|&test| self.merits(test))
    }

    /// Why it is the best one: a sentence.
    pub fn keep_why(&self) -> Option<String> {
        let (_, kept) = self.keep()?;
        let mut all: Vec<Merits> = self.reproduced().map(|test| self.merits(test)).collect();
        all.sort_unstable();
        let best = all.first()?;
        let against = match all.get(1) {
            None => "no other written test fails as recorded",
            Some(next) => best.against(next),
        };
        Some(format!(
            "{}; {against}.",
            need(kept.form, kept.measure.recorded, &kept.runs_with)
        ))
    }

    fn merits(&self, test: (&MinimizedLevel, &WrittenTest)) -> Merits {
        Merits::of(test, self.failure.test.as_deref().unwrap_or_default())
    }

    /// The levels with a written test that fails as recorded, lowest first.
    pub fn reproduced(&self) -> impl Iterator<Item = (&MinimizedLevel, &WrittenTest)> {
        let tests = self
            .levels
            .iter()
            .filter_map(|l| Some((l, l.test.as_ref()?)));
        tests.filter(|(_, test)| test.outcome == Reproduction::Reproduces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_is_said() {
        let best = Merits {
            form: Form::Plain,
            recorded: false,
            opaque: 0,
            calls_all: false,
            below: false,
            lines: 3,
            level: 1,
        };
        let longer = Merits { lines: 4, ..best };
        let whole = Merits {
            calls_all: true,
            lines: 1,
            ..best
        };
        let mocked = Merits {
            form: Form::Mockito,
            lines: 1,
            ..best
        };
        let mut all = [mocked, whole, longer, best];
        all.sort_unstable();
        assert_eq!(all, [best, longer, whole, mocked]);
        assert_eq!(best.against(&longer), "the next best one is longer");
        assert_eq!(
            best.against(&whole),
            "the next best one runs all that failed"
        );
        assert_eq!(best.against(&mocked), "the next best one needs Mockito");
        let replayed = Merits {
            form: Form::Replay,
            ..best
        };
        let red = Merits {
            recorded: true,
            lines: 1,
            ..replayed
        };
        assert!(replayed < red);
        assert_eq!(
            replayed.against(&red),
            "the next best one shows the recorded classes only"
        );
        assert!(need(Form::Replay, true, "JUnit").ends_with("stays red after a repair"));
    }
}
