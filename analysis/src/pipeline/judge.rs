//! Which tests of a level fail, where the worker alone cannot tell.

use jinsi_trace::model::ObjectId;

use jinsi_level::Level;
use jinsi_level::verdict::{TestOutcome, TestResult, Unresolved};
use jinsi_oracle::chain::state::{Predicate, State};
use jinsi_oracle::predicate::UserPredicate;
use jinsi_oracle::{Oracle, Writing};
use jinsi_replay::worker::Watch;

use super::shown::Shown;

/// Backward branches after which a test counts as endless, where that is the failure: a second or so. Thousands of tests may have to wait
/// for it, and the written test waits for longer.
const ENDLESS: u64 = 10_000_000;

/// What makes the tests of a level failing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Judge {
    /// What the worker says.
    Worker,
    /// A value that an interaction gives, what it is asked on, and what those give that stay beside it, as [`TestResult::watched`] has it. `None`: not known,
    /// and no test fails.
    Value {
        interaction: u32,
        beside: Vec<u32>,
        wanted: Option<Shown>,
    },
    /// What is written has this in it.
    Output(Writing),
    /// A predicate of the user's holds of an object.
    Predicate(UserPredicate),
    /// This holds of the state of an object, or, where replay cannot tell which one it is, of one of its class; or of the class itself, if
    /// there is no object.
    State {
        object: Option<ObjectId>,
        class: String,
        predicate: Predicate,
    },
    /// The program is ended with this status.
    Exit { status: i32 },
    /// The step budget is used up.
    Endless,
}

impl Judge {
    /// That of a level; the wrong value is to be filled in. A level that observes the test itself, too, has the assertion's exception.
    pub(super) fn of(oracle: &Oracle, level: &Level) -> Self {
        match oracle {
            Oracle::Exception | Oracle::Assertion(_) => Judge::Worker,
            Oracle::Value(wrong) => match oracle.interaction(level) {
                Some(i) if i.node == wrong.node => Judge::Value {
                    interaction: i.no,
                    beside: level.beside.clone(),
                    wanted: None,
                },
                _ => Judge::Worker,
            },
            Oracle::Output(output) => Judge::Output(output.wrong.clone()),
            Oracle::Predicate(wrong) => Judge::Predicate(wrong.predicate.clone()),
            Oracle::State(wrong) => Judge::State {
                object: wrong.object,
                class: wrong.class.clone(),
                predicate: wrong.predicate.clone(),
            },
            Oracle::Exit { status, .. } => Judge::Exit { status: *status },
            Oracle::Endless { .. } => Judge::Endless,
        }
    }

    /// What the worker has to tell for it.
    pub(super) fn watch(&self) -> Watch {
        match self {
            Judge::Worker => Watch::Nothing,
            Judge::Endless => Watch::Steps(ENDLESS),
            Judge::Value {
                interaction,
                beside,
                ..
            } => Watch::Result {
                interaction: *interaction,
                beside: beside.clone(),
            },
            Judge::Output(_) => Watch::Output,
            Judge::Predicate(predicate) => Watch::Predicate {
                class: predicate.class.clone(),
                directory: predicate.directory.to_string_lossy().into_owned(),
            },
            Judge::State { object, class, .. } => {
                let class = class.clone();
                match object {
                    Some(object) => Watch::State {
                        object: *object,
                        class: Some(class),
                    },
                    None => Watch::Class(class),
                }
            }
            Judge::Exit { status } => Watch::Exit(*status),
        }
    }

    /// Puts its own outcome in the place of the worker's.
    pub(super) fn judge(&self, result: &mut TestResult) {
        let passed = result.outcome == TestOutcome::Passing;
        let fails = match self {
            Judge::Worker | Judge::Exit { .. } => false,
            Judge::Value { wanted, .. } => {
                let watched = result.watched.as_deref();
                passed
                    && wanted
                        .as_ref()
                        .zip(watched)
                        .is_some_and(|(wanted, watched)| wanted.is_in(watched))
            }
            Judge::Output(wrong) => {
                passed && result.watched.as_ref().is_some_and(|all| wrong.is_in(all))
            }
            Judge::Predicate(_) => passed && result.watched.as_deref() == Some("true"),
            Judge::State { predicate, .. } => {
                let states = result.watched.as_deref().map(State::parse_all);
                let holds = |states: Vec<State>| states.iter().any(|s| predicate.holds(s));
                passed && states.is_some_and(holds)
            }
            Judge::Endless => result.outcome == TestOutcome::Unresolved(Unresolved::Budget),
        };
        if fails {
            result.outcome = TestOutcome::Failing;
        }
        if let (true, Judge::Value { interaction, .. }) = (fails, self) {
            result.ended_in = Some(*interaction);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(judge: &Judge, outcome: TestOutcome, watched: Option<&str>) -> TestOutcome {
        let mut result = TestResult {
            outcome,
            watched: watched.map(str::to_owned),
            ..TestResult::default()
        };
        judge.judge(&mut result);
        result.outcome
    }

    #[test]
    fn only_what_was_wanted_fails() {
        let (passing, failing) = (TestOutcome::Passing, TestOutcome::Failing);
        let budget = TestOutcome::Unresolved(Unresolved::Budget);
        let value = |wanted: Option<&str>| Judge::Value {
            interaction: 3,
            beside: Vec::new(),
            wanted: wanted.map(Shown::of),
        };
        assert_eq!(judged(&value(Some("a")), passing, Some("a")), failing);
        assert_eq!(judged(&value(Some("a")), passing, Some("b")), passing);
        assert_eq!(judged(&value(Some("a")), passing, None), passing);
        assert_eq!(judged(&value(None), passing, None), passing);
        assert_eq!(judged(&value(Some("a")), budget, Some("a")), budget);
        let output = Judge::Output(Writing::Text("x".into()));
        assert_eq!(judged(&output, passing, Some("axb")), failing);
        assert_eq!(judged(&output, passing, Some("ab")), passing);
        assert_eq!(judged(&Judge::Endless, budget, None), failing);
        assert_eq!(judged(&Judge::Endless, passing, None), passing);
    }
}
