//! Pools of threads, directories that a test framework has made for a test, and the test itself. Where everything runs for real, one that works alike takes
//! their place: what it is asked to do has to be done, by whom or where does not matter.

use jinsi_trace::model::{Content, JavaString, MemberRef, ObjectId, Operation, Prim, Value};

use super::Pool;
use crate::{Effect, ObjectInfo, Outcome, Role};

const EXECUTORS: &str = "java/util/concurrent/Executors";
const SERVICE: (&str, &str) = (
    "newCachedThreadPool",
    "()Ljava/util/concurrent/ExecutorService;",
);
const SCHEDULED: (&str, &str) = (
    "newSingleThreadScheduledExecutor",
    "()Ljava/util/concurrent/ScheduledExecutorService;",
);

const FILE: &str = "java/io/File";
const PATH: &str = "java/nio/file/Path";
const FILES: &str = "java/nio/file/Files";
const TEMPORARY: (&str, &str) = (
    "createTempDirectory",
    "(Ljava/lang/String;[Ljava/nio/file/attribute/FileAttribute;)Ljava/nio/file/Path;",
);
/// What the names of such directories begin with.
const PREFIX: &str = "test";
/// Added to an identity, it is that of no recorded object: those have fewer bits.
const MADE: ObjectId = 1 << 60;

/// What makes one that works as an object of this class.
fn like(class: &str) -> Option<(Operation, &str, (&'static str, &'static str))> {
    if class == "java/util/Timer" {
        return Some((Operation::Construct, class, ("<init>", "(Z)V")));
    }
    // What made any other path or file is known.
    if class.starts_with("sun/nio/fs/") && class.ends_with("Path") || class == FILE {
        return Some((Operation::CallStatic, FILES, TEMPORARY));
    }
    match class.strip_prefix("java/util/concurrent/")? {
        "ThreadPoolExecutor"
        | "ThreadPerTaskExecutor"
        | "Executors$DelegatedExecutorService"
        | "Executors$FinalizableDelegatedExecutorService"
        | "Executors$AutoShutdownDelegatedExecutorService" => {
            Some((Operation::CallStatic, EXECUTORS, SERVICE))
        }
        "ScheduledThreadPoolExecutor" | "Executors$DelegatedScheduledExecutorService" => {
            Some((Operation::CallStatic, EXECUTORS, SCHEDULED))
        }
        "ForkJoinPool" => Some((Operation::Construct, class, ("<init>", "()V"))),
        _ => None,
    }
}

impl Pool<'_> {
    /// The role of the object `id`, whose content nobody knows: if one like it can be made, that is added to `effects`.
    pub(super) fn usual(&mut self, id: ObjectId, effects: &mut Vec<Effect>) -> Option<Role> {
        let class = self
            .history
            .class_of(id)
            .filter(|_| self.natural.is_all())?;
        let (op, owner, (name, desc)) = like(class)?;
        let object = Value::Object(id);
        let made = match class {
            FILE => id + MADE + MADE,
            _ => id,
        };
        let (receiver, result) = match op {
            Operation::Construct => (object.clone(), None),
            _ => (Value::Null, Some(Value::Object(made))),
        };
        let args = match (owner, desc) {
            // A timer whose thread keeps no program alive.
            (_, "(Z)V") => vec![Value::Prim(Prim::Boolean(true))],
            (FILES, _) => {
                let attributes = self.no_attributes(id);
                vec![Value::Str(JavaString::new(PREFIX)), attributes]
            }
            _ => Vec::new(),
        };
        if op == Operation::CallStatic
            && let Some((_, ty)) = desc.rsplit_once(")L")
        {
            self.met.usual.insert(made, ty.trim_end_matches(';'));
        }
        effects.push(Effect::Natural {
            op,
            member: member(owner, name, desc),
            receiver,
            args,
            result,
        });
        if made != id {
            self.insert(made, Role::Natural { initial: None });
            effects.push(Effect::Natural {
                op: Operation::Call,
                member: member(PATH, "toFile", "()Ljava/io/File;"),
                receiver: Value::Object(made),
                args: Vec::new(),
                result: Some(object),
            });
        }
        Some(Role::Natural { initial: None })
    }

    /// Can an object like this one be made, of which nothing is known?
    pub(super) fn has_like(&self, id: ObjectId) -> bool {
        let class = self.history.class_of(id);
        self.natural.is_all() && class.is_some_and(|class| like(class).is_some())
    }

    /// The role of the object `id`, if it is a test, which its engine made without arguments, and which inner classes of the test need. Another one is
    /// made, which is added to `effects`; what fixtures did to the recorded one is not done to it.
    pub(super) fn fixture(&mut self, id: ObjectId, effects: &mut Vec<Effect>) -> Option<Role> {
        let history = self.history;
        let object = Value::Object(id);
        let class = history.class_of(id).filter(|_| self.natural.is_all())?;
        // All else that is made so gets its fields from a framework, as Spring's beans do.
        if !history.tables().is_test(class) {
            return None;
        }
        let mut outermost = history.numbers().filter(|&n| history.parent(n).is_none());
        let made = outermost.find(|&n| {
            history.outcome(n) == Outcome::Return(Some(object.clone()))
                && history.is_constructor(n)
                && history.args(n).is_empty()
                && history.entity_class(n) == class
        });
        made?;
        effects.push(Effect::Natural {
            op: Operation::Construct,
            member: member(class, "<init>", "()V"),
            receiver: object,
            args: Vec::new(),
            result: None,
        });
        Some(Role::Natural { initial: None })
    }

    /// An array without elements, for the directory `id`.
    fn no_attributes(&mut self, id: ObjectId) -> Value {
        let id = id + MADE;
        let info = ObjectInfo {
            id,
            class: "[Ljava/nio/file/attribute/FileAttribute;".into(),
            length: Some(0),
            role: Role::Array {
                initial: Some(Content::Array(Vec::new())),
            },
        };
        self.met.known.insert(id, info);
        Value::Object(id)
    }
}

fn member(owner: &str, name: &str, desc: &str) -> MemberRef {
    MemberRef {
        owner: owner.into(),
        name: name.into(),
        desc: desc.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::like;

    #[test]
    fn pools_and_directories_have_one_that_works_alike() {
        let made = |class| like(class).map(|(_, owner, (name, _))| (owner, name));
        assert_eq!(
            made("java/util/concurrent/ThreadPoolExecutor"),
            Some(("java/util/concurrent/Executors", "newCachedThreadPool"))
        );
        let pool = "java/util/concurrent/ForkJoinPool";
        assert_eq!(made(pool), Some((pool, "<init>")));
        assert_eq!(made("java/util/Timer"), Some(("java/util/Timer", "<init>")));
        let path = made("sun/nio/fs/WindowsPath");
        assert_eq!(path, Some((super::FILES, "createTempDirectory")));
        assert_eq!(made("java/util/ArrayList"), None);
        assert_eq!(made("a/ThreadPoolExecutor"), None);
    }
}
