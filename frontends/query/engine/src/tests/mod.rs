//! Queries against a fold of the events by hand, on random runs.

mod fleet;
mod naive;
mod random;
mod states;

use jinsi_trace::model::ThreadNo;
use proptest::prelude::*;

use crate::catalogue::{Interval, find};
use crate::{Run, Session};
use naive::{Call, Folded, fold};
use random::{CLASSES, METHODS, OBJECTS, by_one_thread, steps, written};

/// The cells of some columns.
fn columns(session: &Session, name: &str, arguments: &[&str], wanted: &[&str]) -> Vec<Vec<String>> {
    asked(session, name, arguments, &Interval::default(), wanted)
}

fn asked(
    session: &Session,
    name: &str,
    arguments: &[&str],
    interval: &Interval,
    wanted: &[&str],
) -> Vec<Vec<String>> {
    let arguments: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
    let answer = find(name).unwrap().ask(session, &arguments, interval);
    let answer = answer.unwrap_or_else(|e| panic!("{name} {arguments:?}: {e}"));
    let names: Vec<String> = answer.columns().iter().map(|c| (*c).to_owned()).collect();
    let place = |column: &&str| names.iter().position(|name| name == column).unwrap();
    let places: Vec<usize> = wanted.iter().map(place).collect();
    let rows = answer.texts().unwrap().into_iter();
    let cell = |row: &Vec<Option<String>>, at: usize| row[at].clone().unwrap_or("NULL".into());
    rows.map(|row| places.iter().map(|at| cell(&row, *at)).collect())
        .collect()
}

fn cell<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "NULL".to_owned(), |value| value.to_string())
}

fn keys<'a>(calls: impl IntoIterator<Item = &'a Call>) -> Vec<Vec<String>> {
    calls
        .into_iter()
        .map(|call| vec![call.call.to_string()])
        .collect()
}

/// What a call did, as rows have it.
fn done(call: &Call) -> Vec<String> {
    vec![
        call.call.to_string(),
        call.class.clone(),
        call.method.clone(),
        cell(call.receiver),
        call.arguments.clone(),
        cell(call.result.clone()),
    ]
}

const DONE: [&str; 6] = ["call", "class", "method", "receiver", "arguments", "result"];

fn at_moment(session: &Session, folded: &Folded, moment: i64) -> Result<(), TestCaseError> {
    let text = moment.to_string();
    let opened = folded.opened(moment);
    prop_assert_eq!(
        columns(session, "call_chain", &[&text], &["call"]),
        keys(opened.clone())
    );
    let inner_first = opened.iter().rev().map(|call| done(call));
    let inner_first: Vec<_> = inner_first.collect();
    prop_assert_eq!(
        columns(session, "full_detail_call_chain", &[&text], &DONE),
        inner_first
    );
    let inner = opened.last().copied();
    let given = inner.map(|call| vec![call.call.to_string(), call.arguments.clone()]);
    let found = columns(
        session,
        "enclosing_arguments",
        &[&text],
        &["call", "arguments"],
    );
    prop_assert_eq!(found, Vec::from_iter(given));
    let call_result = inner.filter(|call| call.ended.is_some());
    let call_result = call_result.map(|call| {
        vec![
            cell(call.ended),
            cell(call.result.clone()),
            cell(call.threw),
        ]
    });
    let found = columns(
        session,
        "enclosing_return",
        &[&text],
        &["ended", "result", "threw"],
    );
    prop_assert_eq!(found, Vec::from_iter(call_result));
    around_moment(session, folded, inner, moment)
}

/// What the call did before and after the moment, and what the threads were doing.
fn around_moment(
    session: &Session,
    folded: &Folded,
    inner: Option<&Call>,
    moment: i64,
) -> Result<(), TestCaseError> {
    let text = moment.to_string();
    let own = |call: &&Call| inner.is_some_and(|inner| call.caller == Some(inner.call));
    let before = folded.calls.iter().filter(own);
    let before = before.filter(|call| call.ended.is_some_and(|ended| ended < moment));
    let before: Vec<_> = before.map(done).collect();
    prop_assert_eq!(
        columns(session, "pre_event_called_methods", &[&text], &DONE),
        before
    );
    let after = folded.calls.iter().filter(own);
    let after = after.filter(|call| call.call > moment && call.ended.is_some());
    let after: Vec<_> = after.map(done).collect();
    prop_assert_eq!(
        columns(session, "post_event_called_methods", &[&text], &DONE),
        after
    );
    let threads = folded
        .threads
        .iter()
        .filter(|(_, (began, ..))| *began <= moment);
    let threads: Vec<_> = threads
        .map(|(no, _)| vec![no.to_string(), status(folded, *no, moment)])
        .collect();
    let found = columns(session, "threads_at", &[&text], &["thread", "status"]);
    prop_assert_eq!(found, threads);
    Ok(())
}

/// What a thread was doing at a moment: it may have ended by then.
fn status(folded: &Folded, thread: ThreadNo, moment: i64) -> String {
    let (_, ended, died) = folded.threads[&thread];
    let mut own = folded.calls.iter().filter(|call| call.thread == thread);
    let is_open = own.any(|call| call.ended.is_none());
    let status = match (ended < moment, died) {
        (true, true) => "died",
        (true, false) if !is_open => "exited",
        _ => "running",
    };
    status.to_owned()
}

fn of_methods(session: &Session, folded: &Folded) -> Result<(), TestCaseError> {
    for class in CLASSES.map(|class| class.replace('/', ".")) {
        for method in METHODS {
            of_method(session, folded, &class, method)?;
        }
        let made = folded
            .calls
            .iter()
            .filter(|c| c.class == class && c.method == "<init>");
        let made = made.map(|c| vec![c.call.to_string(), cell(c.receiver)]);
        let found = columns(session, "where_made", &[&class], &["call", "object"]);
        prop_assert_eq!(found, made.collect::<Vec<_>>());
        let found = columns(session, "instance_exists", &[&class], &["answer"]);
        prop_assert_eq!(found, [["true"]]);
    }
    Ok(())
}

fn of_method(
    session: &Session,
    folded: &Folded,
    class: &str,
    method: &str,
) -> Result<(), TestCaseError> {
    let to = folded.moments.len() as i64 / 2;
    let interval = Interval {
        from: Some("3".into()),
        to: Some(to.to_string()),
    };
    let of = |call: &&Call| call.class == class && call.method == method;
    let arguments = [class, method];
    let calls: Vec<&Call> = folded.calls.iter().filter(of).collect();
    let given = calls
        .iter()
        .map(|c| vec![c.call.to_string(), c.arguments.clone()]);
    let found = columns(
        session,
        "argument_history",
        &arguments,
        &["call", "arguments"],
    );
    prop_assert_eq!(found, given.collect::<Vec<_>>());
    let within = calls.iter().filter(|c| (3..=to).contains(&c.call));
    let found = asked(
        session,
        "argument_history",
        &arguments,
        &interval,
        &["call"],
    );
    prop_assert_eq!(found, keys(within.copied()));
    let mut call_result: Vec<&Call> = calls
        .iter()
        .copied()
        .filter(|c| c.ended.is_some())
        .collect();
    call_result.sort_by_key(|call| call.ended);
    let call_result = call_result
        .iter()
        .map(|c| vec![c.call.to_string(), cell(c.result.clone())]);
    let found = columns(session, "return_history", &arguments, &["call", "result"]);
    // Calls that an exception ends at one moment have no order.
    let sorted = |mut rows: Vec<Vec<String>>| {
        rows.sort();
        rows
    };
    prop_assert_eq!(sorted(found), sorted(call_result.collect()));
    let callers = calls
        .iter()
        .map(|c| vec![c.call.to_string(), cell(c.caller)]);
    let found = columns(session, "where_called", &arguments, &["call", "caller"]);
    prop_assert_eq!(found, callers.collect::<Vec<_>>());
    let times = calls.len();
    let answer = vec![vec![(times > 0).to_string(), times.to_string()]];
    let found = columns(session, "method_called", &arguments, &["answer", "times"]);
    prop_assert_eq!(found, answer);
    Ok(())
}

fn of_exceptions_and_trees(session: &Session, folded: &Folded) -> Result<(), TestCaseError> {
    let rows = session.ask("select moment, call, caught, uncaught from exceptions order by moment");
    let found = rows.unwrap().texts().unwrap().into_iter();
    let found: Vec<Vec<String>> = found
        .map(|row| row.into_iter().map(cell).collect())
        .collect();
    let expected = folded.exceptions.iter().map(|e| {
        vec![
            e.moment.to_string(),
            cell(e.call),
            cell(e.caught),
            e.uncaught.to_string(),
        ]
    });
    prop_assert_eq!(found, expected.collect::<Vec<_>>());
    let uncaught = folded.exceptions.iter().filter(|e| e.uncaught);
    let uncaught: Vec<_> = uncaught.map(|e| vec![cell(e.call)]).collect();
    prop_assert_eq!(
        columns(session, "where_exception", &[], &["call"]),
        uncaught
    );
    let caught = folded
        .exceptions
        .iter()
        .filter(|e| e.caught.is_some())
        .count();
    let found = columns(session, "exception_caught", &["a.Wrong"], &["times"]);
    prop_assert_eq!(found, [[caught.to_string()]]);
    for call in folded.calls.iter().take(4) {
        let within = folded.calls.iter().filter(|c| {
            c.thread == call.thread
                && c.call >= call.call
                && call.ended.is_none_or(|ended| c.call < ended)
        });
        let tree = within.map(|c| vec![c.call.to_string(), (c.depth - call.depth).to_string()]);
        let key = call.call.to_string();
        let found = columns(session, "call_tree", &[&key], &["call", "depth"]);
        prop_assert_eq!(found, tree.collect::<Vec<_>>());
    }
    for (no, name) in [(0, "main"), (1, "other")] {
        let Some((_, _, died)) = folded.threads.get(&no) else {
            continue;
        };
        let open = folded
            .calls
            .iter()
            .any(|c| c.thread == no && c.ended.is_none());
        let exited = *died || !open;
        let found = columns(session, "thread_exited", &[name], &["answer"]);
        prop_assert_eq!(found, [[exited.to_string()]]);
        let found = columns(session, "thread_running", &[name], &["answer"]);
        prop_assert_eq!(found, [[(!exited).to_string()]]);
    }
    Ok(())
}

/// So many cases, or as many as `PROPTEST_CASES` says: planning takes its time without optimization.
fn cases(few: u32) -> ProptestConfig {
    let said = std::env::var_os("PROPTEST_CASES").is_some();
    let usual = ProptestConfig::default();
    ProptestConfig {
        cases: if said { usual.cases } else { few },
        ..usual
    }
}

proptest! {
    #![proptest_config(cases(4))]

    /// The named queries, of a trace and of the same run exported.
    #[test]
    fn queries_answer_as_a_fold_by_hand(steps in steps()) {
        let directory = tempfile::tempdir().unwrap();
        let file = written(directory.path(), &steps);
        let run = Run::open(&file).unwrap();
        let folded = fold(run.trace());
        let exported = directory.path().join("exported");
        std::fs::create_dir(&exported).unwrap();
        crate::export::export(&run, &exported).unwrap();
        let sessions = [Session::of(vec![run]).unwrap(), Session::open(&exported).unwrap()];
        for session in &sessions {
            let last = folded.moments.len() as i64;
            for moment in [last / 3, last - 1] {
                at_moment(session, &folded, moment)?;
            }
            of_methods(session, &folded)?;
            of_exceptions_and_trees(session, &folded)?;
        }
    }

    /// What is pushed down to a table leaves out nothing that is wanted.
    #[test]
    fn conditions_keep_what_they_should(steps in steps(), from in 0i64..40, thread in 0i64..2, alone in any::<bool>()) {
        let steps = if alone { by_one_thread(&steps) } else { steps };
        let directory = tempfile::tempdir().unwrap();
        let file = written(directory.path(), &steps);
        let run = Run::open(&file).unwrap();
        let exported = directory.path().join("exported");
        std::fs::create_dir(&exported).unwrap();
        crate::export::export(&run, &exported).unwrap();
        let sessions = [Session::of(vec![run]).unwrap(), Session::open(&exported).unwrap()];
        let count = |sql: &str| sessions.each_ref().map(|session| session.ask(sql).unwrap().texts().unwrap()[0][0].clone());
        let object = OBJECTS[usize::try_from(from).unwrap() % OBJECTS.len()];
        for (table, pushed, naive) in [
            ("events", format!("moment > {from} and thread = {thread}"), format!("moment + 0 > {from} and thread + 0 = {thread}")),
            ("events", format!("{from} >= moment and kind = 'Enter'"), format!("{from} >= moment + 0 and concat(kind, '') = 'Enter'")),
            ("events", format!("object = {object}"), format!("object + 0 = {object}")),
            ("events", format!("object = {object} and kind = 'Define'"), format!("object + 0 = {object} and concat(kind, '') = 'Define'")),
            ("events", format!("class = 'a.One' and moment < {from}"), format!("concat(class, '') = 'a.One' and moment + 0 < {from}")),
            ("events", format!("method = 'walk' and moment > {from} and line > 0"), format!("concat(method, '') = 'walk' and moment + 0 > {from} and line + 0 > 0")),
            ("events", "name = 'run' and kind = 'Exit' and value is not null".to_owned(), "concat(name, '') = 'run' and concat(kind, '') = 'Exit' and value is not null".to_owned()),
            ("calls", format!("call between {from} and 30 and class = 'a.One'"), format!("call + 0 between {from} and 30 and concat(class, '') = 'a.One'")),
            ("calls", "threw = 9".to_owned(), "threw + 0 = 9".to_owned()),
            ("calls", format!("ended is null or ended > {from}"), format!("ended + 0 is null or ended + 0 > {from}")),
            ("calls", format!("(threw = 9 or threw is null) and call < {from}"), format!("(threw + 0 = 9 or threw + 0 is null) and call + 0 < {from}")),
        ] {
            let pushed = count(&format!("select count(*) from {table} where {pushed}"));
            let naive = count(&format!("select count(*) from {table} where {naive}"));
            prop_assert_eq!(&pushed, &naive, "{}", table);
            prop_assert_eq!(&pushed[0], &pushed[1], "{}", table);
        }
    }
}

#[test]
fn queries_only_read() {
    let directory = tempfile::tempdir().unwrap();
    let file = written(directory.path(), &[]);
    let session = Session::of(vec![Run::open(&file).unwrap()]).unwrap();
    let into = directory.path().join("stolen.csv");
    let refused = [
        format!("copy (select 1) to '{}'", into.display()),
        format!(
            "create external table t stored as csv location '{}'",
            file.display()
        ),
        "insert into calls values (1)".to_owned(),
        format!("explain analyze copy (select 1) to '{}'", into.display()),
        format!("prepare p as copy (select 1) to '{}'", into.display()),
        "drop table calls".to_owned(),
    ];
    for sql in refused {
        assert!(session.ask(&sql).is_err(), "{sql}");
    }
    assert!(!into.exists());
    session
        .ask("create view few as select call from calls where call < 10")
        .unwrap();
    assert!(session.ask("select * from few").unwrap().is_empty());
}

#[test]
fn what_is_damaged_costs_itself_only() {
    let directory = tempfile::tempdir().unwrap();
    let exported = directory.path().join("runs");
    std::fs::create_dir(&exported).unwrap();
    let mut places = Vec::new();
    for version in ["1", "2", "3"] {
        let file = written(directory.path(), &[]);
        let run = Run::open(&file).unwrap();
        let label = crate::Label {
            version: Some(version.to_owned()),
            test: Some("a/b".to_owned()),
            ..crate::Label::default()
        };
        let done = crate::export::export(&run.labelled(label), &exported).unwrap();
        let crate::export::Done::Written(place) = done else {
            panic!("{done:?}")
        };
        places.push(place);
        std::fs::remove_file(&file).unwrap();
    }
    let session = Session::open(&exported).unwrap();
    let versions = || {
        let rows = session
            .ask("select version from runs order by version")
            .unwrap();
        let rows = rows.texts().unwrap().into_iter();
        rows.map(|mut row| row.pop().flatten().unwrap())
            .collect::<Vec<String>>()
    };
    assert_eq!(versions(), ["1", "2", "3"]);
    let bytes = std::fs::read(places[1].join("runs.parquet")).unwrap();
    std::fs::write(places[1].join("runs.parquet"), &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(versions(), ["1", "3"]);
    let notes = session.notes();
    assert!(
        notes.len() == 1 && notes[0].contains("version=2"),
        "{notes:?}"
    );
    // What an export that was killed has left is no run.
    std::fs::rename(&places[2], exported.join(".undone-1")).unwrap();
    let session = Session::open(&exported).unwrap();
    let rows = session.ask("select version from runs").unwrap();
    assert_eq!(rows.len(), 1);
}
