use jinsi_level::change::Change;
use jinsi_level::verdict::{Escaped, TestOutcome, Unresolved};
use jinsi_trace::model::Content;

use super::setting::*;
use super::*;
use crate::session::{changes, read, script_session};
use crate::testing;

#[test]
fn subsets_of_a_level_are_replayed() {
    let setting = Setting::compiled();
    for jdk in testing::jdks() {
        let mut worker = Worker::start(&setting.config(&jdk)).unwrap();
        worker.load(&setting.session()).unwrap();
        let mut test = |subset: &[u32], mode| worker.test(subset, mode).unwrap();

        let all = test(&[1, 2, 3, 4], Mode::Strict);
        assert_eq!(all.outcome, TestOutcome::Failing, "{all:?}");
        assert_eq!(all.used_answers, [1, 2, 3, 4, 5]);
        assert!(all.back_edges >= 4, "{all:?}");
        assert!(!all.resynchronized);
        assert_eq!(
            all.exception,
            Some(Escaped {
                class: "java.lang.IllegalStateException".into(),
                message: Some("T41 is short of 2".into()),
            })
        );

        let mut outcome = |subset: &[u32]| test(subset, Mode::Resynchronizing).outcome;
        assert_eq!(outcome(&[1, 2, 3, 4]), TestOutcome::Failing);
        assert_eq!(outcome(&[1, 2, 4]), TestOutcome::Passing);
        assert_eq!(outcome(&[]), TestOutcome::Passing);
        let missing = TestOutcome::Unresolved(Unresolved::ReceiverMissing);
        assert_eq!(outcome(&[2, 4]), missing);
        let endless = TestOutcome::Unresolved(Unresolved::Budget);
        assert_eq!(outcome(&[1, 5]), endless);
        assert_eq!(outcome(&[1, 2, 3, 4]), TestOutcome::Failing);
        assert_eq!(worker.restarts(), 0);
    }
}

#[test]
fn tests_run_with_other_values_until_they_are_taken_back() {
    let setting = Setting::compiled();
    let jdk = testing::compiler();
    let mut worker = Worker::start(&setting.config(&jdk)).unwrap();
    assert!(matches!(worker.vary(&[0]), Err(WorkerError::NoSession)));
    worker.load(&setting.session()).unwrap();
    let all = [1, 2, 3, 4];
    let outcome = |worker: &mut Worker| {
        let result = worker.test(&all, Mode::Resynchronizing).unwrap();
        (result.outcome, result.exception.and_then(|e| e.message))
    };
    let paid = |amount| Change::Argument {
        no: 4,
        index: 0,
        value: int(amount),
    };
    let recorded = outcome(&mut worker);
    assert_eq!(recorded.0, TestOutcome::Failing);
    // Enough for both.
    worker.vary(&changes(&[paid(42)]).unwrap()).unwrap();
    assert_eq!(outcome(&mut worker).0, TestOutcome::Passing);
    let drawer = Change::Content {
        id: 4,
        content: Content::Array(vec![]),
    };
    worker.vary(&changes(&[drawer]).unwrap()).unwrap();
    assert_eq!(outcome(&mut worker), recorded);
    let counted = worker.test(&[1, 5], Mode::Resynchronizing).unwrap();
    assert_eq!(
        counted.exception.map(|e| e.class).as_deref(),
        Some("java.lang.ArithmeticException"),
        "a drawer without places"
    );
    let nobody = Change::Argument {
        no: 77,
        index: 0,
        value: int(1),
    };
    let refused = worker.vary(&changes(&[nobody]).unwrap());
    assert!(matches!(refused, Err(WorkerError::Refused(why)) if why.contains("77")));
    assert!(matches!(worker.vary(&[9, 9]), Err(WorkerError::Refused(_))));
    worker.vary(&changes(&[]).unwrap()).unwrap();
    assert_eq!(outcome(&mut worker), recorded);
}

#[test]
fn a_missing_answer_names_the_class_that_blocks() {
    let mut setting = Setting::compiled();
    setting.level.interactions[1].outgoing.pop();
    let jdk = testing::compiler();
    let mut worker = Worker::start(&setting.config(&jdk)).unwrap();
    worker.load(&setting.session()).unwrap();
    let blocked = worker.test(&[1, 2, 4], Mode::Resynchronizing).unwrap();
    let never = TestOutcome::Unresolved(Unresolved::NeverRecorded);
    assert_eq!(
        (blocked.outcome, blocked.blocked_on.as_deref()),
        (never, Some("till/Item")),
        "{blocked:?}"
    );
    // Strict replay names the first divergence.
    let diverged = worker.test(&[1, 2, 3, 4], Mode::Strict).unwrap();
    assert!(matches!(diverged.outcome, TestOutcome::Unresolved(_)));
    assert!(diverged.detail.contains("price"), "{diverged:?}");
}

#[test]
fn a_script_holds_what_a_test_needs() {
    let setting = Setting::compiled();
    let build = |kept: &[u32], used: &[u32]| {
        script_session(
            &setting.recording,
            &setting.code,
            &setting.level,
            kept,
            used,
            &predicate(),
        )
    };
    let bytes = build(&[1, 3, 4], &[1, 4, 5]).unwrap();
    let session = read(&bytes).unwrap();
    let script = session.script.as_ref().unwrap();
    let numbers: Vec<u32> = script.answers.iter().map(|(no, _)| *no).collect();
    assert_eq!(numbers, [1, 4, 5]);
    assert_eq!(script.answers[2].1.member.name, "price");
    let kept: Vec<u32> = session.level.interactions.iter().map(|i| i.no).collect();
    assert_eq!(kept, [1, 3, 4]);
    // Neither the left-out item nor the array of interaction 5.
    let objects: Vec<u64> = session.level.objects.keys().copied().collect();
    assert_eq!(objects, [1, 3, 9]);
    assert!(build(&[6], &[]).is_err());
    assert!(build(&[1], &[0]).is_err() && build(&[1], &[6]).is_err());
}

/// What a shell says as a worker that speaks this protocol.
fn greeting(protocol: u32) -> String {
    format!("printf 'h\\000\\000\\000\\{protocol:03o}'")
}

/// A launcher that is no JVM: says what the shell script says.
#[cfg(unix)]
fn script(dir: &Path, text: &str) -> WorkerConfig {
    let path = dir.join("java");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    jinsi_platform::files::set_mode(&path, 0o700).unwrap();
    WorkerConfig {
        // A shell that plays a JVM needs its programs.
        walls: Walls::Unconfined,
        timeout: Duration::from_secs(2),
        ..WorkerConfig::new(path, dir)
    }
}

#[cfg(unix)]
#[test]
fn a_worker_that_dies_costs_one_test() {
    let dir = tempfile::tempdir().unwrap();
    let text =
        greeting(PROTOCOL) + "; printf k; head -c 60 >/dev/null; echo 'out of memory' >&2; exit 3";
    let mut worker = Worker::start(&script(dir.path(), &text)).unwrap();
    assert!(matches!(
        worker.test(&[], Mode::Strict),
        Err(WorkerError::NoSession)
    ));
    worker.load(b"").unwrap();
    for restarts in [0, 1] {
        let result = worker.test(&[1; 40], Mode::Strict).unwrap();
        assert_eq!(result.outcome, TestOutcome::Unresolved(Unresolved::Harness));
        assert!(
            result.detail.contains("out of memory") && result.detail.contains('3'),
            "{result:?}"
        );
        assert_eq!(worker.restarts(), restarts);
    }
}

#[cfg(unix)]
#[test]
fn a_killed_worker_is_replaced() {
    let setting = Setting::compiled();
    let mut worker = Worker::start(&setting.config(&testing::compiler())).unwrap();
    worker.load(&setting.session()).unwrap();
    let outcome = |worker: &mut Worker| worker.test(&[1, 2, 3, 4], Mode::Strict).unwrap().outcome;
    assert_eq!(outcome(&mut worker), TestOutcome::Failing);
    let id = worker.process.as_ref().unwrap().id().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-9", &id])
        .status();
    assert!(killed.unwrap().success());
    let lost = TestOutcome::Unresolved(Unresolved::Harness);
    assert_eq!(outcome(&mut worker), lost);
    assert_eq!(outcome(&mut worker), TestOutcome::Failing);
    assert_eq!(worker.restarts(), 1);
}

#[cfg(unix)]
#[test]
fn a_worker_that_hangs_costs_one_test() {
    let dir = tempfile::tempdir().unwrap();
    let text = greeting(PROTOCOL) + "; printf k; exec sleep 60";
    let mut worker = Worker::start(&script(dir.path(), &text)).unwrap();
    worker.load(b"").unwrap();
    let result = worker.test(&[1], Mode::Strict).unwrap();
    assert_eq!(result.outcome, TestOutcome::Unresolved(Unresolved::Harness));
    assert!(result.detail.contains("within 2 s"), "{result:?}");
}

#[cfg(unix)]
#[test]
fn workers_that_cannot_be_used() {
    let dir = tempfile::tempdir().unwrap();
    let start = |text: &str| {
        Worker::start(&script(dir.path(), text))
            .err()
            .map(|e| e.to_string())
    };
    let has = |error: Option<String>, part: &str| {
        assert!(
            error.as_deref().is_some_and(|e| e.contains(part)),
            "{error:?}"
        );
    };
    has(
        start(&(greeting(PROTOCOL + 1) + "; exec sleep 60")),
        &format!("protocol {}", PROTOCOL + 1),
    );
    has(start("echo 'no such class' >&2; exit 1"), "no such class");
    has(start("printf 'x'; exec sleep 60"), "malformed");
    let absent = WorkerConfig::new(dir.path().join("nothing"), dir.path());
    has(
        Worker::start(&absent).err().map(|e| e.to_string()),
        "cannot start",
    );
    let refusing = greeting(PROTOCOL) + "; printf 'e\\000\\000\\000\\001\\000x'; exec sleep 60";
    let mut worker = Worker::start(&script(dir.path(), &refusing)).unwrap();
    assert!(matches!(worker.load(b""), Err(WorkerError::Refused(why)) if why == "x"));
}
