//! Pools of threads, made by code that was not recorded. Where everything runs for real, one that works alike takes their place: what it is asked to do
//! has to be done, by whom does not matter.

use jinsi_trace::model::{MemberRef, ObjectId, Operation, Prim, Value};

use super::Pool;
use crate::{Effect, Role};

const EXECUTORS: &str = "java/util/concurrent/Executors";
const SERVICE: (&str, &str) = (
    "newCachedThreadPool",
    "()Ljava/util/concurrent/ExecutorService;",
);
const SCHEDULED: (&str, &str) = (
    "newSingleThreadScheduledExecutor",
    "()Ljava/util/concurrent/ScheduledExecutorService;",
);

/// What makes one that works as an object of this class.
fn like(class: &str) -> Option<(Operation, &str, (&'static str, &'static str))> {
    if class == "java/util/Timer" {
        return Some((Operation::Construct, class, ("<init>", "(Z)V")));
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
        let (receiver, result) = match op {
            Operation::Construct => (object.clone(), None),
            _ => (Value::Null, Some(object)),
        };
        // A timer whose thread keeps no program alive.
        let args = match desc {
            "(Z)V" => vec![Value::Prim(Prim::Boolean(true))],
            _ => Vec::new(),
        };
        if op == Operation::CallStatic {
            let ty = desc.trim_start_matches("()L").trim_end_matches(';');
            self.met.usual.insert(id, ty);
        }
        effects.push(Effect::Natural {
            op,
            member: MemberRef {
                owner: owner.into(),
                name: name.into(),
                desc: desc.into(),
            },
            receiver,
            args,
            result,
        });
        Some(Role::Natural { initial: None })
    }
}

#[cfg(test)]
mod tests {
    use super::like;

    #[test]
    fn pools_have_one_that_works_alike() {
        let made = |class| like(class).map(|(_, owner, (name, _))| (owner, name));
        assert_eq!(
            made("java/util/concurrent/ThreadPoolExecutor"),
            Some(("java/util/concurrent/Executors", "newCachedThreadPool"))
        );
        let pool = "java/util/concurrent/ForkJoinPool";
        assert_eq!(made(pool), Some((pool, "<init>")));
        assert_eq!(made("java/util/Timer"), Some(("java/util/Timer", "<init>")));
        assert_eq!(made("java/util/ArrayList"), None);
        assert_eq!(made("a/ThreadPoolExecutor"), None);
    }
}
