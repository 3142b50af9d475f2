//! The run of everything for real, where something cannot be done once more.

use super::*;
use jinsi_level::Engine;
use jinsi_level::verdict::Unresolved;

/// Three interactions. Where the server's class is observed, the first one starts it, and makes what the others need; else the server's code has
/// them made.
struct Started;

impl Recording for Started {
    only_interactions!();
    fn without_other_tests(&self, _: &Level) -> Option<Vec<u32>> {
        None
    }
    fn project(&mut self, observed: &BTreeSet<String>, _: Option<NodeNo>) -> Level {
        let mut level = level_of(observed, 3);
        if observed.contains("a/Server") {
            level.interactions[0].target_class = "a/Server".into();
        }
        level
    }
    fn event_slice(&mut self, level: &Level, _: u32) -> Vec<u32> {
        level.interactions.iter().map(|i| i.no).collect()
    }
}

/// The server does not start, and the failure needs what is made first.
#[derive(Default)]
struct NoSockets {
    starts: bool,
}

impl Replayer for NoSockets {
    one_worker!();
    fn load(&mut self, level: &Level) -> Result<(), LoadError> {
        self.starts = level.observed.contains("a/Server");
        Ok(())
    }
    fn load_counting(&mut self, level: &Level) -> Result<bool, LoadError> {
        self.load(level).map(|()| false)
    }
    fn vary(&mut self, _: &[Change]) -> Result<(), LoadError> {
        Ok(())
    }
    fn test(&mut self, subset: &[u32], _: Mode) -> TestRun {
        let first = subset.contains(&0);
        let (verdict, ended_in) = match (first, self.starts) {
            (true, true) => (Verdict::Unresolved(Unresolved::OtherException), Some(0)),
            (true, false) if subset.contains(&2) => (Verdict::Failing, Some(2)),
            _ => (Verdict::Passing, None),
        };
        TestRun {
            verdict,
            detail: String::new(),
            resynchronized: false,
            notes: vec![],
            used_answers: vec![],
            blocked_on: None,
            ended_in,
            back_edges: 0,
            lines: 0,
            way: 0,
        }
    }
}

#[test]
fn the_class_that_cannot_be_started_again_drives_what_it_made() {
    let mut search = Search {
        recording: &mut Started,
        replayer: &mut NoSockets::default(),
        recorded: &names(&["a/A", "a/Server"]),
        failure: FAILURE,
        shows: None,
        direct: true,
        strategy: Strategy::Grow,
        shrink: false,
        stop: StopSignal::default(),
        likely: Vec::new(),
    };
    let specs = level_specs(&["a/A".to_owned()], &BTreeSet::new());
    let result = search.level(&specs[0], 1, &mut ());
    assert_eq!(result.level.engine, Engine::Direct);
    assert!(!result.level.observed.contains("a/Server"));
    assert_eq!(result.further_callers, ["a/Server"]);
    assert_eq!(result.kept, [0, 2]);
    assert_eq!(result.not_direct, None);
}
