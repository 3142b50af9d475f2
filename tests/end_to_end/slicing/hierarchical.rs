//! The worked example of hierarchical slices (Wang 2007, Figure 5.3).

use std::path::PathBuf;
use std::process::Output;

use jinsi_slice::hierarchy::{Hierarchical, PhaseLevel, hierarchical};
use jinsi_trace::reader::Trace;
use tempfile::{TempDir, tempdir};

use super::{Marked, record};
use crate::support::{jdks, jinsi, json, programs, run, stderr};

const DATABASE: Marked = Marked {
    class: "Database",
    text: include_str!("../../programs/sliced/Database.java"),
};

fn phases(level: &PhaseLevel) -> Vec<&str> {
    level
        .phases
        .iter()
        .map(|phase| phase.what.as_str())
        .collect()
}

/// The number of the dependence on this line.
fn at(level: &PhaseLevel, mark: &str) -> usize {
    let line = DATABASE.line(mark);
    let found = level.dependences.iter().position(|d| d.line == line);
    found.unwrap_or_else(|| panic!("nothing of '{mark}' in {level:#?}")) + 1
}

/// Marks of the dependences that are followed: what the loop inserted, then what a round of it had read.
const WRONG: &str = "insert: entry";
const CURRENT: &str = "read: current";

/// The example, recorded.
struct Example {
    file: PathBuf,
    /// Where the wrong result shows.
    place: String,
    _directory: TempDir,
}

impl Example {
    fn new() -> Self {
        let directory = tempdir().unwrap();
        let main = ("sliced.Database", "sliced.*");
        let jdk = &jdks()[0];
        Self {
            file: record(jdk, directory.path(), "instructions", programs(), main),
            place: format!("Database:{}", DATABASE.line("run: criterion")),
            _directory: directory,
        }
    }

    fn look(&self, zoom: &[usize]) -> Hierarchical {
        let trace = Trace::open(&self.file).unwrap();
        hierarchical(&trace, Some(self.place.parse().unwrap()), zoom).unwrap()
    }

    /// `jinsi slice --hierarchical` with these arguments.
    fn command(&self, arguments: &[&str]) -> Output {
        let slice = ["slice", "--hierarchical", "--at", &self.place];
        run(jinsi().args(slice).args(arguments).arg(&self.file))
    }
}

/// All of it is within the call, which is divided at its loop.
#[test]
fn a_call_that_has_all_of_it_is_divided() {
    let first = Example::new().look(&[]);
    assert_eq!(first.levels.len(), 2);
    assert_eq!(phases(&first.levels[0]), ["sliced.Database.run", "code"]);
    assert_eq!(
        (first.levels[0].chosen, first.levels[0].entered),
        (None, Some(1))
    );
    let loops = &first.levels[1];
    assert_eq!(phases(loops), ["code", "loop", "code"]);
    let within = first.levels[0].phases[0].instructions;
    assert_eq!(
        loops.phases.iter().map(|p| p.instructions).sum::<u64>(),
        within
    );
    let wrong = at(loops, WRONG);
    assert_eq!(
        (loops.dependences[wrong - 1].phase, loops.entered),
        (2, None)
    );
}

/// Reading, inserting, and the end: the first round left the wrong current record.
#[test]
fn a_dependence_in_a_loop_leads_to_its_rounds() {
    let example = Example::new();
    let wrong = at(&example.look(&[]).levels[1], WRONG);
    let second = example.look(&[wrong]);
    let rounds = &second.levels[2];
    assert_eq!(phases(rounds), ["a round of the loop"; 3]);
    let current = at(rounds, CURRENT);
    let dependence = &rounds.dependences[current - 1];
    assert_eq!((dependence.phase, dependence.used_in), (1, 2));
    assert!(dependence.variable.starts_with("current of #"));
}

/// The wrong record is itself what is to be explained in that round, where it came about in the call.
#[test]
fn what_a_round_left_is_explained_in_it() {
    let example = Example::new();
    let wrong = at(&example.look(&[]).levels[1], WRONG);
    let current = at(&example.look(&[wrong]).levels[2], CURRENT);
    let third = example.look(&[wrong, current, 0]);
    let round = &third.levels[3];
    assert_eq!(phases(round)[3], "sliced.Database.read");
    assert_eq!((round.chosen, round.entered), (Some(0), Some(4)));
    assert_eq!(phases(&third.levels[4]), ["code", "loop", "code"]);
    let dependences = third.levels.iter().map(|level| level.dependences.len());
    assert_eq!(third.shown, dependences.sum::<usize>());
    assert!((third.shown as u64) < third.occurrences / 2);
}

#[test]
fn the_command_shows_levels_and_refuses_a_dependence_that_is_not_there() {
    let example = Example::new();
    let output = example.command(&["--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(json(&output)["levels"][1]["phases"][1]["what"], "loop");
    let output = example.command(&["--zoom", "99"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("no dependence 99"), "{said}");
}
