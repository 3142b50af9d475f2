//! Values of what is left are made smaller.

use jinsi_trace::model::Prim;

use super::*;

/// The last interaction gets a number, of which only the sign matters.
struct Numbers;

impl Recording for Numbers {
    fn project(&mut self, observed: &BTreeSet<String>, _: Option<NodeNo>) -> Level {
        let mut level = level_of(observed, 10);
        level.interactions[9].args = vec![Value::Prim(Prim::Int(-5_000))];
        level
    }
    fn event_slice(&mut self, level: &Level, _: u32) -> Vec<u32> {
        level.interactions.iter().map(|i| i.no).collect()
    }
}

/// A table whose verdict on a subset depends on the values, too.
struct Varied {
    table: Table,
    /// The verdict with these changes, if it is another one than the table's.
    verdict: fn(&[Change], &[u32]) -> Option<Verdict>,
}

impl Replayer for Varied {
    fn load(&mut self, level: &Level) -> Result<(), LoadError> {
        self.table.changes.clear();
        self.table.load(level)
    }
    fn load_counting(&mut self, level: &Level) -> Result<bool, LoadError> {
        self.table.load_counting(level)
    }
    fn vary(&mut self, changes: &[Change]) -> Result<(), LoadError> {
        self.table.vary(changes)
    }
    fn test(&mut self, subset: &[u32], mode: Mode) -> TestRun {
        let mut run = self.table.test(subset, mode);
        if let Some(verdict) = (self.verdict)(&self.table.changes, subset) {
            run.verdict = verdict;
        }
        run
    }
}

/// What is left of the level with a number, and values made smaller in it if that is wanted.
fn varied(mut replayer: Varied, shrink: bool) -> LevelResult {
    let mut search = Search {
        recording: &mut Numbers,
        replayer: &mut replayer,
        recorded: &names(&[]),
        failure: FAILURE,
        shows: None,
        direct: false,
        strategy: Strategy::Grow,
        shrink,
        stop: StopSignal::default(),
        likely: Vec::new(),
    };
    let specs = level_specs(&["a/A".to_owned()], &BTreeSet::new());
    search.level(&specs[0], 1, &mut ())
}

#[test]
fn values_of_what_is_left_are_shrunk_and_marked_unless_that_is_off() {
    fn positive(c: &Change) -> bool {
        matches!(c, Change::Argument { value: Value::Prim(Prim::Int(n)), .. } if *n >= 0)
    }
    let shrunk = |shrink| {
        let replayer = Varied {
            table: Table::new(|_, s| (needs(s, &[9]), None)),
            // It fails with a negative number.
            verdict: |changes, _| changes.iter().any(positive).then_some(Verdict::Passing),
        };
        varied(replayer, shrink)
    };
    let result = shrunk(true);
    assert_eq!(
        result.level.interactions[9].args,
        [Value::Prim(Prim::Int(-1))]
    );
    let mark = &result.level.shrunk[0];
    assert_eq!((mark.interaction, mark.argument), (9, 0));
    assert_eq!(
        (mark.recorded.as_str(), mark.shrunk.as_str()),
        ("-5000", "-1")
    );
    assert!(result.shrink_tests > 0);
    assert_eq!(result.kept, [9]);
    let result = shrunk(false);
    assert!(result.level.shrunk.is_empty() && result.shrink_tests == 0);
}

#[test]
fn what_smaller_values_make_needless_is_left_out() {
    let replayer = Varied {
        table: Table::new(|_, s| (needs(s, &[1, 2, 3, 9]), None)),
        // With another value than the recorded one, interaction 9 fails alone.
        verdict: |changes, subset| (!changes.is_empty()).then(|| needs(subset, &[9])),
    };
    let result = varied(replayer, true);
    assert_eq!(result.kept, [9]);
    assert_eq!(result.needless, [1, 2, 3]);
    assert_eq!(result.used_answers, [9]);
    assert!(result.level.shrunk.iter().all(|s| s.interaction == 9));
    let removed: Vec<u32> = result.removals.iter().map(|r| r.left_out).collect();
    assert_eq!(removed, [9]);
    let needed: Vec<u32> = result.needed_as_recorded().map(|i| i.no).collect();
    assert_eq!(needed, [1, 2, 3, 9]);
}
