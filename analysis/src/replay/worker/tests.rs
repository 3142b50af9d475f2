use std::collections::{BTreeMap, BTreeSet};

use jinsi_trace::model::{Content, JavaString, MemberRef, Prim, Value};

use super::*;
use crate::level::{
    CrashPredicate, Interaction, Level, ObjectInfo, Operation, Outcome, Outgoing, Role,
};
use crate::natural::Natural;
use crate::replay::session::changes;
use crate::replay::session::{
    Recording, ReplayCode, level_session, read, rewrite_for, script_session,
};
use crate::replay::testing;
use crate::search::shrink::Change;

fn object(id: u64) -> Value {
    Value::Object(id)
}

fn int(v: i32) -> Value {
    Value::Prim(Prim::Int(v))
}

fn string(text: &str) -> Value {
    Value::Str(JavaString::new(text))
}

fn member(owner: &str, name: &str, desc: &str) -> MemberRef {
    MemberRef {
        owner: owner.into(),
        name: name.into(),
        desc: desc.into(),
    }
}

fn driven(
    no: u32,
    op: Operation,
    member: MemberRef,
    receiver: Value,
    args: Vec<Value>,
) -> Interaction {
    Interaction {
        no,
        node: 0,
        thread: 0,
        turn: None,
        op,
        member,
        target_class: "till/Till".to_owned(),
        receiver,
        args,
        outcome: Outcome::Return(None),
        before: Vec::new(),
        outgoing: Vec::new(),
    }
}

/// An outgoing interaction at the bytecode index of the only bridge of that member; 0 if natural code makes it.
fn outgoing(
    code: &ReplayCode,
    op: Operation,
    member: MemberRef,
    receiver: Value,
    args: Vec<Value>,
    answer: Value,
) -> Outgoing {
    let bridge = code.bridges.iter().find(|b| b.member == member);
    let target_class = match receiver {
        Value::Null => member.owner.to_string(),
        _ => "till/Item".to_owned(),
    };
    Outgoing {
        node: 0,
        turn: None,
        op,
        member,
        target_class,
        site: 0,
        bci: bridge.map_or(0, |b| b.bci),
        line: 0,
        receiver,
        args,
        outcome: Outcome::Return(Some(answer)),
        callbacks: Vec::new(),
        effects: Vec::new(),
    }
}

/// 1 `new Till("T")` · 2 `add` an item of 30 · 3 `add` one of 12 · 4 `pay(35)`, which throws · 5 `count`, which does
/// not end.
fn level(code: &ReplayCode) -> Level {
    let till = |name: &str, desc: &str| member("till/Till", name, desc);
    let add = |no: u32, item: u64, hash: i32, price: i32| {
        let args = vec![object(item)];
        let mut add = driven(
            no,
            Operation::Call,
            till("add", "(Ltill/Item;)V"),
            object(1),
            args,
        );
        let ask = |m: MemberRef, answer| {
            outgoing(
                code,
                Operation::Call,
                m,
                object(item),
                Vec::new(),
                int(answer),
            )
        };
        add.outgoing = vec![
            ask(member("till/Named", "hashCode", "()I"), hash),
            ask(member("till/Item", "price", "()I"), price),
        ];
        add
    };
    let construct = Interaction {
        outcome: Outcome::Return(Some(object(1))),
        receiver: Value::Null,
        ..driven(
            1,
            Operation::Construct,
            till("<init>", "(Ljava/lang/String;)V"),
            Value::Null,
            vec![string("T")],
        )
    };
    let pay = Interaction {
        outcome: Outcome::Throw(9),
        ..driven(
            4,
            Operation::Call,
            till("pay", "(I)V"),
            object(1),
            vec![int(35)],
        )
    };
    let count = Interaction {
        outcome: Outcome::Open,
        ..driven(
            5,
            Operation::Call,
            till("count", "([I)V"),
            object(1),
            vec![object(4)],
        )
    };
    let property = member(
        "java/lang/System",
        "getProperty",
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
    );
    let args = vec![string("till.first"), string("1")];
    let init = outgoing(
        code,
        Operation::CallStatic,
        property,
        Value::Null,
        args,
        string("41"),
    );
    let info = |id, class: &str, length, role| {
        let class = class.to_owned();
        let info = ObjectInfo {
            id,
            class,
            length,
            role,
        };
        (id, info)
    };
    let zeros = Some(Content::Array(vec![int(0), int(0)]));
    Level {
        observed: BTreeSet::from(["till/Till".to_owned()]),
        interactions: vec![construct, add(2, 2, 77, 30), add(3, 3, 78, 12), pay, count],
        class_inits: BTreeMap::from([("till/Till".to_owned(), vec![init])]),
        objects: BTreeMap::from([
            info(1, "till/Till", None, Role::Observed),
            info(2, "till/Item", None, Role::Mock),
            info(3, "till/Item", None, Role::Mock),
            info(4, "[I", Some(2), Role::Array { initial: zeros }),
            info(9, "java/lang/IllegalStateException", None, Role::Mock),
        ]),
        shrunk: Vec::new(),
    }
}

fn predicate() -> CrashPredicate {
    CrashPredicate {
        class: "java.lang.IllegalStateException".into(),
        message: Some("T41 is short of 2".into()),
        at_class: "till.Till".into(),
        at_method: "pay".into(),
        at_line: 0,
    }
}

/// The program, rewritten for S = {Till}, its level, and the classes of the worker.
pub(crate) struct Setting {
    dir: tempfile::TempDir,
    recording: Recording,
    code: ReplayCode,
    level: Level,
}

impl Setting {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("program");
        testing::compile(&[testing::fixtures("worker/fixtures")], &program);
        let recording = Recording::new(&testing::class_table(&program), &[], &[]);
        let observed = BTreeSet::from(["till/Till".to_owned()]);
        let code = rewrite_for(&recording, &Natural::default(), &observed).unwrap();
        let level = level(&code);
        Self {
            dir,
            recording,
            code,
            level,
        }
    }

    pub(crate) fn session(&self) -> Vec<u8> {
        level_session(&self.recording, &self.code, &self.level, &predicate()).unwrap()
    }

    /// Compiles the Java half.
    fn config(&self, jdk: &crate::jvm::Jdk) -> WorkerConfig {
        let harness = self.dir.path().join("harness");
        if !harness.exists() {
            let sources =
                Path::new(env!("CARGO_MANIFEST_DIR")).join("../java-harness/replay/jinsi");
            testing::compile(&[sources], &harness);
        }
        WorkerConfig::new(jdk.java(), harness)
    }

    /// A configuration on some JDK.
    pub(crate) fn any_config(&self) -> WorkerConfig {
        self.config(&testing::compiler())
    }
}

#[test]
fn subsets_of_a_level_are_replayed() {
    let setting = Setting::new();
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
    let setting = Setting::new();
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
    let mut setting = Setting::new();
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
    let setting = Setting::new();
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
    use std::os::unix::fs::PermissionsExt;
    let path = dir.join("java");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
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
    let setting = Setting::new();
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

#[test]
fn names_of_reasons_are_stable() {
    let names: Vec<&str> = Unresolved::ALL.iter().map(|u| u.name()).collect();
    assert_eq!(
        names,
        [
            "other_exception",
            "receiver_missing",
            "argument_missing",
            "never_recorded",
            "no_alternative",
            "null_receiver",
            "other_receiver",
            "other_array",
            "harness",
            "budget"
        ]
    );
    for (i, reason) in Unresolved::ALL.into_iter().enumerate() {
        assert_eq!(reason as usize, i + 1);
        assert_eq!(Unresolved::from_u8(reason as u8), Some(reason));
    }
    assert_eq!(
        (Unresolved::from_u8(0), Unresolved::from_u8(11)),
        (None, None)
    );
}
