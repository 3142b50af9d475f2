//! What is not the program's doing, or not recorded: a difference that may come of it says nothing.

use jinsi_history::{History, Moment, NodeKind, NodeNo};
use jinsi_trace::model::{ClassOrigin, ObjectId, Value};
use rustc_hash::FxHashSet;

use crate::doubt::Doubt;
use crate::methods;

/// What may be another thing in another version, or in another JVM, whatever the program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    /// Something that lies beside the program's classes.
    Beside,
    /// A hash code that the JVM draws: of a class, or of any object as such.
    Drawn,
    /// Which members one of the program's classes has.
    Members,
    /// What another thread does meanwhile.
    Thread,
    /// What was written as memory (`sun.misc.Unsafe`).
    Memory,
}

impl Foreign {
    /// Why a difference says nothing then.
    pub(crate) fn doubt(self) -> Doubt {
        match self {
            Self::Beside => Doubt::Beside,
            Self::Drawn => Doubt::Drawn,
            Self::Members => Doubt::Members,
            Self::Thread => Doubt::Thread,
            Self::Memory => Doubt::Memory,
        }
    }
}

/// Such things in a run.
#[derive(Debug)]
pub(crate) struct Foreigns {
    /// When they were asked for, rising.
    asked: Vec<(Moment, Foreign)>,
    /// Objects that were written as memory.
    written: FxHashSet<ObjectId>,
}

impl Foreigns {
    pub(crate) fn of(history: &History) -> Self {
        let calls = history
            .nodes()
            .filter(|(_, node)| node.kind == NodeKind::Call);
        let mut written = FxHashSet::default();
        let asked = calls.filter_map(|(n, node)| {
            let what = asked(history, n)?;
            if let (Foreign::Memory, Some(Value::Object(id))) = (what, history.args(n).first()) {
                written.insert(*id);
            }
            Some((node.begin, what))
        });
        let mut asked: Vec<_> = asked.collect();
        asked.sort_unstable_by_key(|(moment, _)| *moment);
        Self { asked, written }
    }

    /// The first that was asked for between these moments.
    pub(crate) fn within(&self, begin: Moment, end: Option<Moment>) -> Option<Foreign> {
        let first = self.asked.partition_point(|(moment, _)| *moment < begin);
        let (moment, what) = self.asked.get(first)?;
        end.is_none_or(|end| *moment <= end).then_some(*what)
    }

    pub(crate) fn is_written_past(&self, id: ObjectId) -> bool {
        self.written.contains(&id)
    }
}

fn asked(history: &History, n: NodeNo) -> Option<Foreign> {
    let target = &history.site(n)?.target;
    let class = match history.receiver(n) {
        Value::Class(no) => Some(*no),
        _ => None,
    };
    let is_programs = || {
        let class = class.and_then(|no| history.tables().class(no));
        class.is_some_and(|c| matches!(c.origin, ClassOrigin::Observed | ClassOrigin::Inherited))
    };
    let (owner, name) = (&*target.owner, &*target.name);
    match name {
        "identityHashCode" if owner == "java/lang/System" => Some(Foreign::Drawn),
        "hashCode" if class.is_some() => Some(Foreign::Drawn),
        _ if methods::looks_beside(owner, name) => Some(Foreign::Beside),
        _ if methods::asks_for_members(owner, name) && is_programs() => Some(Foreign::Members),
        _ if methods::hands_to_a_thread(owner, name) => Some(Foreign::Thread),
        _ if methods::is_memory(owner, name) => Some(Foreign::Memory),
        _ => None,
    }
}
