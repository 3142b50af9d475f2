//! What has to hold on JOD-3, as checks on the report.

use std::fs;
use std::path::Path;

use super::report::{Failure, LevelReport, REPRODUCES, Report};

/// What the recording leaves: that of the boundary, and what it was expanded to.
const TRACES: [&str; 2] = ["boundary.jinsi", "trace.jinsi"];
/// The least number of levels.
const LEVELS: usize = 5;
/// The class on whose level only a few interactions may be left, and how many.
const PERIOD: (&str, u64) = ("org.joda.time.Period", 2);
/// The class on whose level it is known exactly which of the 23 interactions are needed.
const BUILDER: (&str, [u64; 3]) = ("org.joda.time.tz.DateTimeZoneBuilder", [1, 22, 23]);
/// The failure: class, message, throwing place.
const FAILURE: (&str, &str, &str) = (
    "java.lang.ArithmeticException",
    "Adding time zone offset caused overflow",
    "org.joda.time.chrono.ZonedChronology$ZonedDurationField.getOffsetToAdd(ZonedChronology.java:348)",
);

/// One thing that has to hold.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Check {
    what: String,
    held: bool,
    found: String,
}

impl Check {
    /// `found` says what is the case, in the words of the report.
    pub(super) fn new(what: impl Into<String>, held: bool, found: &str) -> Check {
        Check {
            what: what.into(),
            held,
            found: found.to_owned(),
        }
    }
}

/// Prints checks; whether all of them held.
pub(super) fn print(checks: &[Check]) -> bool {
    for Check { what, held, found } in checks {
        match held {
            true => println!("holds    {what}"),
            false => println!("VIOLATED {what}\n         found: {found}"),
        }
    }
    checks.iter().all(|check| check.held)
}

/// The throwing place of the recorded failure, with the package.
pub(super) fn place(failure: &Failure) -> &str {
    failure
        .stack
        .first()
        .map_or(&failure.at, |frame| &frame.text)
}

/// What has to hold after the run was recorded and minimized with its results in `out`.
pub(super) fn first_run(report: &Report, out: &Path) -> Vec<Check> {
    let failure = &report.failure;
    let at = place(failure);
    let found = format!("{}: {:?} at {at}", failure.class, failure.message);
    let recorded = (failure.class.as_str(), failure.message.as_deref(), at);
    let traces = traces(out);
    let levels = report.levels.len();
    let mut checks = vec![
        Check::new(
            "the failure is the known one",
            recorded == (FAILURE.0, Some(FAILURE.1), FAILURE.2),
            &found,
        ),
        Check::new(
            "the program was recorded once",
            traces == TRACES && report.capture.recorded_once_more.is_none(),
            &traces.join(", "),
        ),
        Check::new(
            format!("there are at least {LEVELS} levels"),
            levels >= LEVELS,
            &format!("{levels}"),
        ),
        period(report),
        builder(report),
    ];
    checks.extend(report.levels.iter().map(|level| test_of(level, out)));
    checks
}

fn period(report: &Report) -> Check {
    let (name, most) = PERIOD;
    let what = format!("at the level of {name}, at most {most} interactions are left");
    match level_of(report, name) {
        Some(level) => {
            let few = (1..=most).contains(&level.minimized);
            Check::new(what, few, &format!("{}: {}", level.minimized, texts(level)))
        }
        None => Check::new(what, false, "no such level"),
    }
}

fn builder(report: &Report) -> Check {
    let (name, needed) = BUILDER;
    let what = format!("at the level of {name}, exactly calls {needed:?} are left");
    match level_of(report, name) {
        Some(level) => Check::new(
            what,
            numbers(level) == needed,
            &format!("{:?}: {}", numbers(level), texts(level)),
        ),
        None => Check::new(what, false, "no such level"),
    }
}

fn test_of(level: &LevelReport, out: &Path) -> Check {
    let what = format!(
        "level {}: the test was compiled and run, and fails as recorded",
        level.level
    );
    let written = level
        .test_file
        .as_ref()
        .is_some_and(|file| out.join(file).is_file());
    let reproduces = level.test_outcome.as_deref() == Some(REPRODUCES);
    let found = format!(
        "file {:?}, outcome {:?}, replay {}",
        level.test_file, level.test_outcome, level.strict_replay
    );
    Check::new(what, written && reproduces, &found)
}

/// What has to hold when the same trace was minimized elsewhere.
pub(super) fn second_run(first: &Report, second: &Report) -> Vec<Check> {
    let (one, other) = (first.levels.len(), second.levels.len());
    let mut checks = vec![
        Check::new(
            "alone: the failure is the same",
            first.failure == second.failure,
            &second.failure.at,
        ),
        Check::new(
            "alone: there are as many levels",
            one == other,
            &format!("{one} and {other}"),
        ),
    ];
    checks.extend(first.levels.iter().zip(&second.levels).map(|(a, b)| {
        let what = format!("alone: level {} has the same result", a.level);
        Check::new(
            what,
            result(a) == result(b),
            &format!("{:?} and {:?}", result(a), result(b)),
        )
    }));
    checks
}

/// What must not depend on the place where a trace is minimized: class, observed classes, counts, interactions left, test.
fn result(level: &LevelReport) -> (&str, &[String], [u64; 3], Vec<u64>, Option<&str>) {
    let counts = [level.interactions, level.after_event_slice, level.minimized];
    (
        &level.name,
        &level.observed,
        counts,
        numbers(level),
        level.test_outcome.as_deref(),
    )
}

/// Prints one line a level.
pub(super) fn print_levels(report: &Report) {
    println!(
        "\n{:>5} {:>8} {:>8} {:>5} {:>6} {:>8}  joins",
        "level", "recorded", "sliced", "left", "tests", "seconds"
    );
    for level in &report.levels {
        println!(
            "{:>5} {:>8} {:>8} {:>5} {:>6} {:>8.2}  {}",
            level.level,
            level.interactions,
            level.after_event_slice,
            level.minimized,
            level.tests,
            level.seconds,
            level.name
        );
    }
    println!();
}

fn level_of<'a>(report: &'a Report, name: &str) -> Option<&'a LevelReport> {
    report.levels.iter().find(|level| level.name == name)
}

fn numbers(level: &LevelReport) -> Vec<u64> {
    level.kept.iter().map(|kept| kept.number).collect()
}

fn texts(level: &LevelReport) -> String {
    level
        .kept
        .iter()
        .map(|kept| kept.text.as_str())
        .collect::<Vec<_>>()
        .join("; ")
}

/// Names of the traces in a directory, in their order.
fn traces(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".jinsi")).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::super::report::{Kept, StackFrame};
    use super::*;

    fn level(no: u32, name: &str, kept: &[u64]) -> LevelReport {
        let kept: Vec<Kept> = kept
            .iter()
            .map(|&number| Kept {
                number,
                ..Kept::default()
            })
            .collect();
        LevelReport {
            level: no,
            name: name.to_owned(),
            minimized: kept.len() as u64,
            kept,
            test_file: Some("T.java".to_owned()),
            test_outcome: Some(REPRODUCES.to_owned()),
            ..LevelReport::default()
        }
    }

    fn good() -> (Report, tempfile::TempDir) {
        let out = tempfile::tempdir().unwrap();
        for file in ["T.java"].iter().chain(&TRACES) {
            fs::write(out.path().join(file), "").unwrap();
        }
        let report = Report {
            failure: Failure {
                class: FAILURE.0.to_owned(),
                message: Some(FAILURE.1.to_owned()),
                stack: vec![StackFrame {
                    text: FAILURE.2.to_owned(),
                    level: Some(1),
                }],
                ..Failure::default()
            },
            levels: vec![
                level(1, "a", &[1]),
                level(2, "b", &[1, 2, 3]),
                level(3, PERIOD.0, &[4, 9]),
                level(4, BUILDER.0, &BUILDER.1),
                level(5, "jod3.Jod3", &[1]),
            ],
            ..Report::default()
        };
        (report, out)
    }

    /// The checks that do not hold after a change to a good report.
    fn violated(change: impl FnOnce(&mut Report, &Path)) -> Vec<String> {
        let (mut report, out) = good();
        change(&mut report, out.path());
        first_run(&report, out.path())
            .into_iter()
            .filter(|check| !check.held)
            .map(|check| check.what)
            .collect()
    }

    #[test]
    fn a_good_report_holds() {
        assert_eq!(violated(|_, _| ()), Vec::<String>::new());
    }

    #[test]
    fn each_requirement_can_be_violated() {
        let one = |what: &[String], needle: &str| {
            assert!(what.len() == 1 && what[0].contains(needle), "{what:?}")
        };
        one(
            &violated(|report, _| report.failure.message = None),
            "failure",
        );
        one(
            &violated(|_, out| fs::write(out.join("b.jinsi"), "").unwrap()),
            "recorded once",
        );
        one(
            &violated(|report, _| report.capture.recorded_once_more = Some("it differs".into())),
            "recorded once",
        );
        one(
            &violated(|report, _| drop(report.levels.remove(0))),
            "at least 5",
        );
        one(
            &violated(|report, _| report.levels[2].minimized = 3),
            "Period",
        );
        one(
            &violated(|report, _| report.levels[2].minimized = 0),
            "Period",
        );
        one(
            &violated(|report, _| report.levels[2].name.clear()),
            "Period",
        );
        one(
            &violated(|report, _| drop(report.levels[3].kept.remove(1))),
            "DateTimeZoneBuilder",
        );
        one(
            &violated(|report, _| report.levels[3].name.clear()),
            "DateTimeZoneBuilder",
        );
        one(
            &violated(|report, _| report.levels[1].test_outcome = Some("not_run".to_owned())),
            "level 2",
        );
        one(
            &violated(|report, _| report.levels[4].test_file = Some("U.java".to_owned())),
            "level 5",
        );
        one(
            &violated(|report, _| report.levels[4].test_file = None),
            "level 5",
        );
    }

    #[test]
    fn another_result_elsewhere_is_seen() {
        let (first, _out) = good();
        assert!(second_run(&first, &first).iter().all(|check| check.held));
        let mut other = first.clone();
        other.levels[2].kept[0].number = 5;
        assert!(second_run(&first, &other).iter().any(|check| !check.held));
        let mut fewer = first.clone();
        fewer.levels.pop();
        assert!(second_run(&first, &fewer).iter().any(|check| !check.held));
        let mut not_run = first.clone();
        not_run.levels[1].test_outcome = Some("not_run".to_owned());
        assert!(second_run(&first, &not_run).iter().any(|check| !check.held));
        let mut slower = first.clone();
        slower.levels[1].seconds = 9.0;
        assert!(second_run(&first, &slower).iter().all(|check| check.held));
    }
}
