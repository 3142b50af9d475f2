//! A small program and its level, for tests of workers.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_trace::model::{Content, JavaString, MemberRef, Prim, Value};

use super::*;
use crate::session::{ReplayCode, TraceTables, level_session, rewrite_for};
use crate::testing;
use jinsi_level::{
    CrashPredicate, Engine, Interaction, Level, ObjectInfo, Operation, Outcome, Outgoing, Role,
};
use jinsi_natural::Natural;

pub(super) fn object(id: u64) -> Value {
    Value::Object(id)
}

pub(super) fn int(v: i32) -> Value {
    Value::Prim(Prim::Int(v))
}

pub(super) fn string(text: &str) -> Value {
    Value::Str(JavaString::new(text))
}

pub(super) fn member(owner: &str, name: &str, desc: &str) -> MemberRef {
    MemberRef {
        owner: owner.into(),
        name: name.into(),
        desc: desc.into(),
    }
}

pub(super) fn driven(
    no: u32,
    op: Operation,
    member: MemberRef,
    receiver: Value,
    args: Vec<Value>,
) -> Interaction {
    Interaction {
        no,
        node: jinsi_level::NodeNo::FIRST,
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
pub(super) fn outgoing(
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
        node: jinsi_level::NodeNo::FIRST,
        turn: None,
        op,
        member,
        target_class,
        site: None,
        bci: bridge.map_or(0, |b| b.bci),
        line: 0,
        receiver,
        args,
        outcome: Outcome::Return(Some(answer)),
        callbacks: Vec::new(),
        effects: Vec::new(),
    }
}

fn till(name: &str, desc: &str) -> MemberRef {
    member("till/Till", name, desc)
}

/// `add` an item, of which the till asks hash code and price.
fn add(code: &ReplayCode, no: u32, item: u64, hash: i32, price: i32) -> Interaction {
    let ask = |m: MemberRef, answer| {
        let answer = int(answer);
        outgoing(code, Operation::Call, m, object(item), Vec::new(), answer)
    };
    let method = till("add", "(Ltill/Item;)V");
    Interaction {
        outgoing: vec![
            ask(member("till/Named", "hashCode", "()I"), hash),
            ask(member("till/Item", "price", "()I"), price),
        ],
        ..driven(no, Operation::Call, method, object(1), vec![object(item)])
    }
}

/// What the class initializer asks.
fn first_asks(code: &ReplayCode) -> Outgoing {
    let property = member(
        "java/lang/System",
        "getProperty",
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
    );
    let args = vec![string("till.first"), string("1")];
    let none = Value::Null;
    outgoing(
        code,
        Operation::CallStatic,
        property,
        none,
        args,
        string("41"),
    )
}

fn objects() -> BTreeMap<u64, ObjectInfo> {
    let zeros = Some(Content::Array(vec![int(0), int(0)]));
    let objects = [
        (1, "till/Till", None, Role::Observed),
        (2, "till/Item", None, Role::Mock),
        (3, "till/Item", None, Role::Mock),
        (4, "[I", Some(2), Role::Array { initial: zeros }),
        (9, "java/lang/IllegalStateException", None, Role::Mock),
    ];
    let info = |(id, class, length, role): (u64, &str, _, _)| {
        let class = class.to_owned();
        let info = ObjectInfo {
            id,
            class,
            length,
            role,
        };
        (id, info)
    };
    objects.into_iter().map(info).collect()
}

/// 1 `new Till("T")` · 2 `add` an item of 30 · 3 `add` one of 12 · 4 `pay(35)`, which throws · 5 `count`, which does
/// not end.
pub(super) fn level(code: &ReplayCode) -> Level {
    let call = |no, method, arg| driven(no, Operation::Call, method, object(1), vec![arg]);
    let constructor = till("<init>", "(Ljava/lang/String;)V");
    let construct = Interaction {
        outcome: Outcome::Return(Some(object(1))),
        ..driven(
            1,
            Operation::Construct,
            constructor,
            Value::Null,
            vec![string("T")],
        )
    };
    let pay = Interaction {
        outcome: Outcome::Throw(9),
        ..call(4, till("pay", "(I)V"), int(35))
    };
    let count = Interaction {
        outcome: Outcome::Open,
        ..call(5, till("count", "([I)V"), object(4))
    };
    let (first, second) = (add(code, 2, 2, 77, 30), add(code, 3, 3, 78, 12));
    Level {
        engine: Engine::Replay,
        surroundings: Vec::new(),
        observed: BTreeSet::from(["till/Till".to_owned()]),
        interactions: vec![construct, first, second, pay, count],
        waits: BTreeMap::new(),
        class_inits: BTreeMap::from([("till/Till".to_owned(), vec![first_asks(code)])]),
        statics: Vec::new(),
        objects: objects(),
        shrunk: Vec::new(),
        beside: Vec::new(),
    }
}

pub(super) fn predicate() -> CrashPredicate {
    CrashPredicate {
        message_of_jdk: None,
        class: "java.lang.IllegalStateException".into(),
        message: Some("T41 is short of 2".into()),
        at_class: "till.Till".into(),
        at_method: "pay".into(),
        at_line: 0,
    }
}

/// The program, rewritten for S = {Till}, its level, and the classes of the worker.
pub struct Setting {
    pub(super) dir: tempfile::TempDir,
    pub(super) recording: TraceTables,
    pub(super) code: ReplayCode,
    pub(super) level: Level,
}

impl Setting {
    /// Compiles and rewrites it.
    pub fn compiled() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("program");
        testing::compile(&[testing::fixtures("worker/fixtures")], &program);
        let recording = TraceTables::new(&testing::class_table(&program), &[], &[]);
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

    /// The session of its level.
    pub fn session(&self) -> Vec<u8> {
        level_session(&self.recording, &self.code, &self.level, &predicate()).unwrap()
    }

    /// Compiles the Java half.
    pub(super) fn config(&self, jdk: &jinsi_jdk::Jdk) -> WorkerConfig {
        let harness = self.dir.path().join("harness");
        if !harness.exists() {
            let sources =
                Path::new(env!("CARGO_MANIFEST_DIR")).join("../../java-harness/replay/jinsi");
            testing::compile(&[sources], &harness);
        }
        WorkerConfig::new(jdk.java(), harness)
    }

    /// A configuration on some JDK.
    pub fn any_config(&self) -> WorkerConfig {
        self.config(&testing::compiler())
    }
}
