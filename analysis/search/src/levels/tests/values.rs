//! Long values of what is left are made smaller.

use jinsi_trace::model::JavaString;

use super::*;

/// The last interaction gets a text of many lines.
struct Texts;

fn text(lines: u32) -> Value {
    let lines: String = (0..lines).map(|n| format!("line {n}\n")).collect();
    Value::Str(JavaString::new(&lines))
}

impl Recording for Texts {
    only_interactions!();
    fn without_other_tests(&self, _: &Level) -> Option<Vec<u32>> {
        None
    }
    fn project(&mut self, observed: &BTreeSet<String>, _: Option<NodeNo>) -> Level {
        let mut level = level_of(observed, 10);
        level.interactions[9].args = vec![text(60)];
        level
    }
    fn event_slice(&mut self, level: &Level, _: u32) -> Vec<u32> {
        level.interactions.iter().map(|i| i.no).collect()
    }
}

/// A table of which the way depends on the values.
struct Varied {
    table: Table,
    way: fn(&[Change]) -> u64,
}

impl Replayer for Varied {
    one_worker!();
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
        TestRun {
            way: (self.way)(&self.table.changes),
            ..self.table.test(subset, mode)
        }
    }
}

/// What is left of the level with a text, and values made smaller in it if that is wanted.
fn varied(way: fn(&[Change]) -> u64, has_lines: bool, shrink: bool) -> LevelResult {
    let mut table = Table::new(|_, s| (needs(s, &[9]), None));
    table.has_lines = has_lines;
    let mut replayer = Varied { table, way };
    let mut search = Search {
        recording: &mut Texts,
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

/// Only the last line but one has a part in the way.
fn by_one_line(changes: &[Change]) -> u64 {
    let has_line = |change: &Change| matches!(change, Change::Argument { value: Value::Str(t), .. } if t.to_string().contains("line 58\n"));
    if changes.iter().all(has_line) { 7 } else { 8 }
}

#[test]
fn long_values_are_smaller_where_the_way_stays_and_marked() {
    let result = varied(by_one_line, true, true);
    let Value::Str(left) = &result.level.interactions[9].args[0] else {
        panic!("no text");
    };
    // The header, what is read, and what lies behind that.
    assert_eq!(left.to_string(), "line 0\nline 58\nline 59\n");
    let mark = &result.level.shrunk[0];
    assert_eq!((mark.interaction, mark.argument), (9, 0));
    assert!(result.shrink_tests > 0);
    assert_eq!(result.kept, [9]);
}

#[test]
fn where_the_way_changes_or_is_not_known_values_stay() {
    let stays = |way, has_lines, shrink| {
        let result = varied(way, has_lines, shrink);
        assert!(result.level.shrunk.is_empty());
        assert_eq!(result.level.interactions[9].args, [text(60)]);
    };
    stays(by_one_line, true, false);
    stays(by_one_line, false, true);
    stays(|changes| 7 + changes.len() as u64, true, true);
    stays(|_| 0, true, true);
}
