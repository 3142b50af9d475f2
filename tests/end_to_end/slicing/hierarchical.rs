//! The worked example of hierarchical slices (Wang 2007, Figure 5.3).

use jinsi_slice::hierarchy::{Hierarchical, PhaseLevel, hierarchical};
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

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

#[test]
fn worked_example() {
    let directory = tempdir().unwrap();
    let main = ("sliced.Database", "sliced.*");
    let file = record(
        &jdks()[0],
        directory.path(),
        "instructions",
        programs(),
        main,
    );
    let trace = Trace::open(&file).unwrap();
    let place = format!("Database:{}", DATABASE.line("run: criterion"));
    let look = |zoom: &[usize]| -> Hierarchical {
        hierarchical(&trace, Some(place.parse().unwrap()), zoom).unwrap()
    };

    // All of it is within the call, which is divided at its loop.
    let first = look(&[]);
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
    let wrong = at(loops, "insert: entry");
    assert_eq!(
        (loops.dependences[wrong - 1].phase, loops.entered),
        (2, None)
    );

    // Reading, inserting, and the end: the first round left the wrong current record.
    let second = look(&[wrong]);
    let rounds = &second.levels[2];
    assert_eq!(phases(rounds), ["a round of the loop"; 3]);
    let current = at(rounds, "read: current");
    let dependence = &rounds.dependences[current - 1];
    assert_eq!((dependence.phase, dependence.used_in), (1, 2));
    assert!(dependence.variable.starts_with("current of #"));

    // It is itself what is to be explained in that round, where it came about in the call.
    let third = look(&[wrong, current, 0]);
    let round = &third.levels[3];
    assert_eq!(phases(round)[3], "sliced.Database.read");
    assert_eq!((round.chosen, round.entered), (Some(0), Some(4)));
    assert_eq!(phases(&third.levels[4]), ["code", "loop", "code"]);
    let dependences = third.levels.iter().map(|level| level.dependences.len());
    assert_eq!(third.shown, dependences.sum::<usize>());
    assert!((third.shown as u64) < third.occurrences / 2);

    let output = run(jinsi()
        .args(["--json", "slice", "--hierarchical", "--at", &place])
        .arg(&file));
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(json(&output)["levels"][1]["phases"][1]["what"], "loop");
    let wrong = ["slice", "--hierarchical", "--zoom", "99", "--at", &place];
    let output = run(jinsi().args(wrong).arg(&file));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("no dependence 99"),
        "{}",
        stderr(&output)
    );
}
