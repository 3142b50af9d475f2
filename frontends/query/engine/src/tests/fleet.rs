//! The queries about many runs against a fold of all of them, on random runs.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_trace::reader::Trace;
use proptest::prelude::*;

use super::naive::{Call, fold};
use super::random::{CLASSES, METHODS, Step, WRONGS, steps, written_of};
use super::{cases, cell, columns};
use crate::{Label, Run, Session};

const VERSIONS: [&str; 3] = ["1.0", "1.1", "2.0"];
const TESTS: [&str; 2] = ["a.OneTest#runs", "a.TwoTest#walks"];
const MINIMAL: [Option<&str>; 3] = [
    None,
    Some("new One().run(1);"),
    Some("One one = new One();\none.run(0);"),
];

/// A run before it is made; the numbers choose.
#[derive(Clone, Debug)]
struct Plan {
    steps: Vec<Step>,
    version: usize,
    test: usize,
    wrong: usize,
    minimal: usize,
}

fn plans() -> impl Strategy<Value = Vec<Plan>> {
    let plan = (steps(), 0usize..3, 0usize..2, 0usize..2, 0usize..3);
    let plan = plan.prop_map(|(steps, version, test, wrong, minimal)| Plan {
        steps,
        version,
        test,
        wrong,
        minimal,
    });
    prop::collection::vec(plan, 2..6)
}

/// A run, folded.
struct Member {
    name: String,
    version: &'static str,
    test: &'static str,
    failed: bool,
    cause: &'static str,
    minimal: Option<&'static str>,
    calls: Vec<Call>,
}

/// All of them, made and asked: as they are, and exported.
struct Fleet {
    members: Vec<Member>,
    sessions: [Session; 2],
    /// The traces are read while they are asked.
    _directories: Vec<tempfile::TempDir>,
}

impl Fleet {
    fn new(plans: &[Plan]) -> Self {
        let exported = tempfile::tempdir().unwrap();
        let (mut members, mut runs) = (Vec::new(), Vec::new());
        let mut directories = Vec::new();
        for (no, plan) in plans.iter().enumerate() {
            let directory = tempfile::tempdir().unwrap();
            let began = 1000 + no as u64;
            let file = written_of(directory.path(), &plan.steps, began, plan.wrong);
            let trace = Trace::open(&file).unwrap();
            let folded = fold(&trace);
            let (version, test) = (VERSIONS[plan.version], TESTS[plan.test]);
            members.push(Member {
                name: format!("run{no}"),
                version,
                test,
                failed: folded.threads.values().any(|(.., died)| *died),
                cause: WRONGS[plan.wrong].0,
                minimal: MINIMAL[plan.minimal],
                calls: folded.calls,
            });
            let label = Label {
                version: Some(version.to_owned()),
                test: Some(test.to_owned()),
                minimal_test: MINIMAL[plan.minimal].map(str::to_owned),
            };
            let run = Run::of(trace, &file, format!("run{no}")).labelled(label);
            crate::export::export(&run, exported.path()).unwrap();
            runs.push(run);
            directories.push(directory);
        }
        let sessions = [
            Session::of(runs).unwrap(),
            Session::open(exported.path()).unwrap(),
        ];
        directories.push(exported);
        Self {
            members,
            sessions,
            _directories: directories,
        }
    }

    fn failed(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.failed)
    }

    fn passed(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| !member.failed)
    }
}

impl Member {
    /// Where its exception is made.
    fn place(&self) -> String {
        let wrong = WRONGS.iter().find(|(class, _)| *class == self.cause);
        format!("a.One.run(One.java:{})", wrong.unwrap().1)
    }
}

fn ending(call: &Call) -> &'static str {
    match (call.ended, call.threw) {
        (None, _) => "open",
        (_, Some(_)) => "threw",
        _ => "returned",
    }
}

fn descriptor(call: &Call) -> &'static str {
    match call.method.as_str() {
        "<init>" => "(I)V",
        _ => "(I)I",
    }
}

type Rows = Vec<Vec<String>>;

/// The most first, then by what they are.
fn by_count(counted: BTreeMap<Vec<String>, BTreeSet<String>>) -> Rows {
    let rows = counted.into_iter();
    let mut rows: Vec<(Vec<String>, usize)> = rows.map(|(key, runs)| (key, runs.len())).collect();
    rows.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
    let row = |(mut key, count): (Vec<String>, usize)| {
        key.push(count.to_string());
        key
    };
    rows.into_iter().map(row).collect()
}

fn failures(fleet: &Fleet, session: &Session) -> Result<(), TestCaseError> {
    let mut same: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    let mut outcomes: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for member in &fleet.members {
        let outcome = if member.failed { "failed" } else { "passed" };
        let key = [member.version, member.test, outcome].map(str::to_owned);
        *outcomes.entry(key.to_vec()).or_default() += 1;
    }
    for member in fleet.failed() {
        let key = vec![member.cause.to_owned(), member.place()];
        same.entry(key).or_default().insert(member.name.clone());
    }
    let of = |row: &Vec<String>| -> Vec<&Member> {
        let own = |m: &&Member| m.cause == row[0] && m.place() == row[1];
        fleet.failed().filter(own).collect()
    };
    let same = by_count(same);
    let with_tests = same.iter().map(|row| {
        let members = of(row);
        let tests: BTreeSet<&str> = members.iter().map(|m| m.test).collect();
        let minimal: BTreeSet<&str> = members.iter().filter_map(|m| m.minimal).collect();
        let more = [
            row[0].clone(),
            tests.len().to_string(),
            minimal.len().to_string(),
            members[0].name.clone(),
        ];
        row.iter().cloned().chain(more).collect()
    });
    let wanted = [
        "cause",
        "cause_place",
        "runs",
        "failure",
        "tests",
        "minimal_tests",
        "run",
    ];
    let found = columns(session, "same_failures", &[], &wanted);
    prop_assert_eq!(found, with_tests.collect::<Rows>());
    let with_versions = same.iter().map(|row| {
        let members = of(row);
        let ends = [members[0], members[members.len() - 1]];
        let versions = ends.map(|m| m.version.to_owned());
        row.iter().cloned().chain(versions).collect()
    });
    let wanted = ["cause", "cause_place", "runs", "first", "last"];
    let found = columns(session, "failure_versions", &[], &wanted);
    prop_assert_eq!(found, with_versions.collect::<Rows>());
    let counted = outcomes.into_iter().map(|(mut key, count)| {
        key.push(count.to_string());
        key
    });
    let wanted = ["version", "test", "outcome", "runs"];
    let found = columns(session, "outcomes", &[], &wanted);
    prop_assert_eq!(found, counted.collect::<Rows>());
    Ok(())
}

fn minimal_tests(fleet: &Fleet, session: &Session) -> Result<(), TestCaseError> {
    let mut same: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    for member in fleet.failed() {
        if let Some(minimal) = member.minimal {
            let runs = same.entry(vec![minimal.to_owned()]).or_default();
            runs.insert(member.name.clone());
        }
    }
    let with_places = by_count(same).into_iter().map(|mut row| {
        let own = |m: &&Member| m.minimal == Some(row[0].as_str());
        let members: Vec<&Member> = fleet.failed().filter(own).collect();
        let places: BTreeSet<String> = members.iter().map(|m| m.place()).collect();
        let tests: BTreeSet<&str> = members.iter().map(|m| m.test).collect();
        let counts = [places.len(), tests.len()].map(|count| count.to_string());
        row.extend(counts);
        row.push(members[0].name.clone());
        row
    });
    let wanted = ["minimal_test", "runs", "places", "tests", "run"];
    let found = columns(session, "same_minimal_tests", &[], &wanted);
    prop_assert_eq!(found, with_places.collect::<Rows>());
    Ok(())
}

fn only_failing(fleet: &Fleet, session: &Session) -> Result<(), TestCaseError> {
    for class in CLASSES.map(|class| class.replace('/', ".")) {
        for method in METHODS {
            let values = |member: &Member| -> BTreeSet<String> {
                let own = |c: &&Call| c.class == class && c.method == method;
                let value = |c: &Call| c.result.clone().unwrap_or(ending(c).to_owned());
                member.calls.iter().filter(own).map(value).collect()
            };
            let passing: BTreeSet<String> = fleet.passed().flat_map(&values).collect();
            let mut counted: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
            for member in fleet.failed() {
                for value in values(member).difference(&passing) {
                    let runs = counted.entry(vec![value.clone()]).or_default();
                    runs.insert(member.name.clone());
                }
            }
            let arguments = [class.as_str(), method];
            let found = columns(
                session,
                "values_of_failing",
                &arguments,
                &["result", "runs"],
            );
            prop_assert_eq!(found, by_count(counted));
        }
    }
    let called = |member: &Member| -> BTreeSet<Vec<String>> {
        let key = |c: &Call| vec![c.class.clone(), c.method.clone(), descriptor(c).to_owned()];
        member.calls.iter().map(key).collect()
    };
    let passing: BTreeSet<Vec<String>> = fleet.passed().flat_map(called).collect();
    let mut counted: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    for member in fleet.failed() {
        for key in called(member).difference(&passing) {
            let runs = counted.entry(key.clone()).or_default();
            runs.insert(member.name.clone());
        }
    }
    let wanted = ["class", "method", "descriptor", "runs"];
    let found = columns(session, "calls_of_failing", &[], &wanted);
    prop_assert_eq!(found, by_count(counted));
    suspicious(fleet, session, &called)
}

/// Ochiai's coefficient of each method that a failing run called.
fn suspicious(
    fleet: &Fleet,
    session: &Session,
    called: &dyn Fn(&Member) -> BTreeSet<Vec<String>>,
) -> Result<(), TestCaseError> {
    let mut counted: BTreeMap<Vec<String>, [usize; 2]> = BTreeMap::new();
    for member in &fleet.members {
        for key in called(member) {
            counted.entry(key).or_default()[usize::from(member.failed)] += 1;
        }
    }
    let all = fleet.failed().count();
    let mut expected: Vec<(String, Vec<String>)> = Vec::new();
    for (mut row, [passed, failed]) in counted {
        if failed > 0 {
            let suspicion = failed as f64 / ((all * (failed + passed)) as f64).sqrt();
            row.extend([failed.to_string(), passed.to_string()]);
            expected.push((format!("{suspicion:.9}"), row));
        }
    }
    expected.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    let wanted = [
        "class",
        "method",
        "descriptor",
        "failed",
        "passed",
        "suspicion",
    ];
    let found = columns(session, "suspicious_calls", &[], &wanted);
    let found = found.into_iter().map(|mut row| {
        let suspicion: f64 = row.pop().unwrap().parse().unwrap();
        (format!("{suspicion:.9}"), row)
    });
    prop_assert_eq!(found.collect::<Vec<_>>(), expected);
    Ok(())
}

fn longer(fleet: &Fleet, session: &Session) -> Result<(), TestCaseError> {
    let mut costs: BTreeMap<(&str, String, String), Vec<i64>> = BTreeMap::new();
    for member in &fleet.members {
        for call in member.calls.iter().filter(|call| call.recorded) {
            if let Some(ended) = call.ended {
                let key = (member.version, call.class.clone(), call.method.clone());
                costs.entry(key).or_default().push(ended - call.call);
            }
        }
    }
    let mean = |all: &Vec<i64>| all.iter().sum::<i64>() as f64 / all.len() as f64;
    let mut expected = Vec::new();
    for ((version, class, method), one) in &costs {
        let same = costs
            .iter()
            .filter(|((of, c, m), _)| version < of && c == class && m == method);
        for ((of, ..), other) in same {
            let ratio = format!("{:.6}", mean(other) / mean(one));
            let row = [class.as_str(), method, version, of].map(str::to_owned);
            expected.push((row.to_vec(), ratio));
        }
    }
    let wanted = ["class", "method", "version", "other", "ratio"];
    let found = columns(session, "longer_calls", &[], &wanted);
    let ratios: Vec<f64> = found.iter().map(|row| row[4].parse().unwrap()).collect();
    prop_assert!(ratios.is_sorted_by(|one, other| one >= other));
    let mut found: Vec<_> = found
        .into_iter()
        .zip(ratios)
        .map(|(row, ratio)| (row[..4].to_vec(), format!("{ratio:.6}")))
        .collect();
    found.sort();
    expected.sort();
    prop_assert_eq!(found, expected);
    Ok(())
}

/// Each run has the rows that it has by itself.
fn one_table(fleet: &Fleet, session: &Session) -> Result<(), TestCaseError> {
    let sql = "select r.run, count(c.run), max(c.call) from runs r left join calls c on c.run = r.run group by r.run order by r.run";
    let rows = session.ask(sql).unwrap().texts().unwrap().into_iter();
    let found: Rows = rows
        .map(|row| row.into_iter().map(cell).collect())
        .collect();
    let row = |member: &Member| {
        let last = member.calls.iter().map(|call| call.call).max();
        vec![
            member.name.clone(),
            member.calls.len().to_string(),
            cell(last),
        ]
    };
    prop_assert_eq!(found, fleet.members.iter().map(row).collect::<Rows>());
    Ok(())
}

proptest! {
    #![proptest_config(cases(3))]

    #[test]
    fn many_runs_answer_as_a_fold_of_all(plans in plans()) {
        let fleet = Fleet::new(&plans);
        for session in &fleet.sessions {
            failures(&fleet, session)?;
            minimal_tests(&fleet, session)?;
            only_failing(&fleet, session)?;
            longer(&fleet, session)?;
            one_table(&fleet, session)?;
        }
    }
}
