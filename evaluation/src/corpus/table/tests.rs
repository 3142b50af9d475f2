use jinsi_analysis::report::json::{TestOutcome, WallTime};

use jinsi_ground::report::Findings;

use super::super::repaired::Repaired;
use super::super::report::CorpusReport;
use super::*;

fn bug() -> Bug {
    let all = Bug::wanted(jinsi_ground::bugs::CHOSEN, &["jod3".into()]).unwrap();
    all.into_iter().next().unwrap()
}

fn level(number: u32, outcome: Option<TestOutcome>) -> LevelReport {
    LevelReport {
        level: number,
        interactions: 10 * u64::from(number),
        minimized: 2,
        minimized_of_observed: 2,
        tests: 5,
        strict_replay: if outcome.is_some() {
            "reproduced"
        } else {
            "a cause"
        }
        .into(),
        test_outcome: outcome,
        ..LevelReport::default()
    }
}

fn report(levels: Vec<LevelReport>) -> BugReport {
    let mut report = BugReport {
        levels,
        seconds: 3.0,
        parts: vec![WallTime {
            name: "record".into(),
            seconds: 1.0,
        }],
        ..BugReport::default()
    };
    report.failure.kind = "exception".into();
    report.failure.class = "java.lang.ArithmeticException".into();
    report.failure.message = Some("Adding time zone offset caused overflow: x".into());
    report.failure.at =
        "org.joda.time.chrono.ZonedChronology$ZonedDurationField.getOffsetToAdd(Z.java:1)".into();
    report
}

#[test]
fn a_bug_needs_one_level_that_reproduces_and_its_own_failure() {
    let levels = || vec![level(1, Some(TestOutcome::Reproduces)), level(2, None)];
    let row = BugRow::new(&bug(), &report(levels()), &[Some(true), None]);
    assert!(row.holds(), "{}", row.text());
    assert_eq!((row.counts.interactions, row.interactions_most), (30, 20));
    assert_eq!(
        (row.counts.tests, row.counts.minimized, row.reproducing),
        (10, 4, 1)
    );
    assert!((row.seconds_minimize - 2.0).abs() < 1e-9);
    assert!(row.text().contains("not replayable: a cause"));

    assert!(!BugRow::new(&bug(), &report(levels()), &[Some(false)]).holds());
    assert!(
        !BugRow::new(
            &bug(),
            &report(vec![level(1, Some(TestOutcome::Passes))]),
            &[]
        )
        .holds()
    );
    assert!(!BugRow::failed(&bug(), "no".into()).holds());
    let mut another = report(levels());
    another.failure.class = "java.lang.Error".into();
    assert!(!BugRow::new(&bug(), &another, &[]).holds());
}

#[test]
fn plain_ddmin_and_the_thesis_are_compared_with() {
    let row = |ddmin: u64, left: u64| {
        let mut level = level(1, Some(TestOutcome::Reproduces));
        level.tests_of_ddmin = Some(ddmin);
        level.seconds_of_ddmin = Some(1.5);
        level.search_seconds = 0.5;
        level.minimized = left;
        level.minimized_of_observed = left;
        BugRow::new(&bug(), &report(vec![level]), &[])
    };
    let (good, more, over) = (row(5, 2), row(4, 2), row(5, 3));
    assert!(good.holds() && !more.holds() && !over.holds());
    assert!((good.seconds_minimize - 0.5).abs() < 1e-9);
    let text = CorpusReport::new("17".into(), vec![good, more, over], false).text();
    for (key, figure) in [("tests", "14"), ("tests_here", "15"), ("speed_up", "3.000")] {
        let words = [&format!("summary.ddmin.{key}"), figure];
        let has = |line: &str| line.split_whitespace().eq(words);
        assert!(text.lines().any(has), "{text}");
    }
    assert!(text.contains("VIOLATED no bug needs more tests than plain ddmin"));
    assert!(text.contains("VIOLATED never more is left than in the thesis"));
}

#[test]
fn lines_count_where_both_figures_are_known() {
    let lines = |recorded, executed| LevelReport {
        lines_recorded: recorded,
        lines_executed: executed,
        ..level(1, Some(TestOutcome::Reproduces))
    };
    let levels = vec![lines(Some(50), Some(8)), lines(Some(9), None)];
    let row = BugRow::new(&bug(), &report(levels), &[]);
    let sums = (row.lines_executed, row.lines_executed_minimized);
    assert_eq!(sums, (Some(50), Some(8)));
}

#[test]
fn the_summary_has_sums_and_medians() {
    let one = |levels| BugRow::new(&bug(), &report(levels), &[]);
    let rows = vec![
        one(vec![level(1, Some(TestOutcome::Reproduces))]),
        one(vec![level(1, None), level(2, Some(TestOutcome::Passes))]),
    ];
    let all = CorpusReport::new("17".into(), rows, false);
    let s = &all.summary;
    assert_eq!((s.bugs, s.libraries, s.bugs_reproducing), (2, 1, 1));
    assert_eq!((s.levels, s.levels_reproducing), (3, 1));
    assert_eq!((s.counts.interactions, s.counts.tests), (40, 15));
    assert!((s.median_tests - 7.5).abs() < 1e-9);
    assert!(!all.holds());
    assert!(all.text().contains("VIOLATED 90 % of the levels"));
    assert!(!CorpusReport::new("17".into(), Vec::new(), false).holds());
}

/// Makes something not hold.
type Spoil = fn(&mut Vec<BugRow>);

/// A corpus for which everything holds, and its verdicts about the whole.
fn corpus() -> Vec<BugRow> {
    let row = |n: usize| {
        let mut row = BugRow::new(
            &bug(),
            &report(vec![level(1, Some(TestOutcome::Reproduces))]),
            &[],
        );
        row.library = format!("library {}", n % 10);
        row
    };
    let mut rows: Vec<BugRow> = (0..25).map(row).collect();
    rows[7].events = 1_000_000;
    rows[7].interactions_most = 1_000_000;
    rows
}

#[test]
fn each_thing_that_has_to_hold_can_fail() {
    let whole = |mut rows: Vec<BugRow>| {
        rows.extend(silent());
        CorpusReport::new("17".into(), rows, true)
    };
    let good = whole(corpus());
    assert!(good.holds(), "{}", good.text());
    let spoilt: [(&str, Spoil); 10] = [
        ("90 %", |rows| {
            let mut bad = level(2, Some(TestOutcome::Passes));
            bad.minimized = 1;
            for row in rows.iter_mut().take(5) {
                row.levels.push(LevelRow::new(&bad, None));
            }
        }),
        ("over 60 s", |rows| rows[3].seconds_minimize = 61.0),
        ("JOD-3", |rows| rows[0].seconds_minimize = 10.5),
        ("in the median", |rows| {
            let levels = rows.iter_mut().flat_map(|r| &mut r.levels);
            levels.for_each(|l| l.counts.minimized = 4);
        }),
        ("in the thesis", |rows| {
            rows[1].levels[0].minimized_of_observed = 3
        }),
        ("1-minimal", |rows| rows[2].levels[0].minimal = Some(false)),
        ("Surefire", |rows| {
            rows[2].levels[0].surefire = Some("passes".into());
        }),
        ("plain ddmin", |rows| {
            (rows[4].ddmin_tests, rows[4].ddmin_seconds) = (Some(4), Some(1.0));
        }),
        ("10 libraries", |rows| rows[9].own = true),
        ("1,000,000", |rows| rows[7].interactions_most = 999_999),
    ];
    for (what, spoil) in spoilt {
        let mut rows = corpus();
        spoil(&mut rows);
        let report = whole(rows);
        let text = report.text();
        let violated = |l: &str| l.starts_with("VIOLATED") && l.contains(what);
        assert!(text.lines().any(violated), "{what}: {text}");
        assert!(!report.holds(), "{what}");
    }
    let few = CorpusReport::new("17".into(), corpus().split_off(20), false);
    assert!(few.holds(), "{}", few.text());
}

/// Bugs that do not crash, for which everything holds.
fn silent() -> Vec<BugRow> {
    let mut rows = corpus();
    rows.truncate(15);
    rows.iter_mut().for_each(|row| row.crashes = false);
    rows
}

#[test]
fn bugs_that_do_not_crash_have_verdicts_of_their_own() {
    let whole = |rows: Vec<BugRow>| {
        CorpusReport::new(
            "17".into(),
            corpus().into_iter().chain(rows).collect(),
            true,
        )
    };
    let good = whole(silent());
    assert!(good.holds(), "{}", good.text());
    assert!(good.bugs[24].crashes && !good.bugs[25].crashes);
    let spoilt: [(&str, Spoil); 6] = [
        ("80 % of the bugs", |rows| {
            rows[..4].iter_mut().for_each(|row| {
                row.levels[0].outcome = "the test passes".into();
                row.reproducing = 0;
            });
        }),
        ("at most 4 interactions", |rows| {
            rows.iter_mut()
                .for_each(|row| row.levels[0].counts.minimized = 5);
        }),
        ("over 60 s", |rows| rows[0].seconds_minimize = 61.0),
        ("is 1-minimal", |rows| {
            rows[0].levels[0].minimal = Some(false)
        }),
        ("fails as recorded", |rows| {
            rows[0].levels[0].surefire = Some("it passes".into())
        }),
        ("15 of them", |rows| {
            rows.pop();
        }),
    ];
    for (what, spoil) in spoilt {
        let mut rows = silent();
        spoil(&mut rows);
        let bad = whole(rows);
        let text = bad.text();
        let violated = text
            .lines()
            .any(|l| l.starts_with("VIOLATED") && l.contains(what));
        assert!(violated && !bad.holds(), "{what}: {text}");
    }
    let mut few = silent();
    few[0].reproducing = 0;
    few[0].levels[0].outcome = "the test passes".into();
    assert!(whole(few).holds(), "not each of them needs a test");
    let mut another = silent();
    another[0].expected_chain = false;
    assert!(!whole(another).holds());
}

#[test]
fn tests_with_a_recording_are_counted_apart() {
    let mut row = BugRow::new(&bug(), &report(vec![level(1, None)]), &[]);
    let replayed = super::super::fixed::Replayed {
        passing: vec!["a.B".into()],
        others: vec![("a.C".into(), "Skipped".into())],
    };
    row.set_flips(Some(Flips {
        replayed,
        ..Flips::default()
    }));
    assert_eq!((row.flips, row.replay_flips), (Some(0), Some(1)));
    assert!(
        row.text().contains("a.C does not: Skipped"),
        "{}",
        row.text()
    );
    let document = serde_json::to_value(Repaired::of(&[row])).unwrap();
    let expected = serde_json::json!({"tests": 2, "flipping": 1});
    assert_eq!(document["replayed"], expected);
}

#[test]
fn a_bug_counts_as_repaired_if_one_of_its_tests_turns_green() {
    let with = |flips: Option<usize>| {
        let mut row = BugRow::new(&bug(), &report(vec![level(1, None)]), &[]);
        row.flips = flips;
        row
    };
    let of =
        |flips: &[Option<usize>]| Repaired::of(&flips.iter().map(|f| with(*f)).collect::<Vec<_>>());
    // Bugs without a repaired release do not count.
    assert!(of(&[Some(1), Some(2), Some(1), Some(0), None]).holds);
    let too_few = of(&[Some(1), Some(0), None]);
    assert!(!too_few.holds);
    assert_eq!(too_few.goals().map(|goal| goal.holds), [false, true]);
}
