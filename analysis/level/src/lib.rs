//! A *level*: the recorded run as one observed set S sees it. Every S inside `observe=` is a projection of one
//! trace; replay, event slicing and test writing work on levels only.
//!
//! Words (after Burger 2011, Section 3.1):
//!
//! * *inside*: observed code runs, or natural code that it called;
//! * *environment*: the code that observed code calls, and that is neither observed nor natural;
//! * *driver*: whoever calls observed code from outside.

pub mod belonging;
pub mod chance;
pub mod change;
pub mod coroutines;
mod deciding;
pub mod event_slice;
mod first_use;
pub mod frameworks;
pub mod function;
pub mod handed_on;
pub mod later;
pub mod loaders;
pub mod modules;
pub mod program;
pub mod project;
pub mod surroundings;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod verdict;

use std::collections::{BTreeMap, BTreeSet};

use function::Function;
use surroundings::Setting;

use jinsi_trace::model::{Content, MemberRef, ObjectId, SiteNo, ThreadNo, Value};

pub use jinsi_history::{NodeNo, Outcome};
pub use jinsi_trace::model::Operation;

/// A change to an array or a natural object that happened outside the observed code and must be re-enacted so that observed
/// code finds what it found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The array, natural object, or object without constructor holds exactly this now.
    Content {
        /// The array or object.
        id: ObjectId,
        /// What it holds.
        content: Content,
    },
    /// One array element was stored.
    Store {
        /// The array.
        array: ObjectId,
        /// Index.
        index: u32,
        /// New element.
        value: Value,
    },
    /// An operation on a natural object, to be run for real: constructor (result = the object), method, or read of a static field.
    Natural {
        /// `Construct`, `Call`, `CallStatic`, or `GetStatic` of what a static field holds.
        op: Operation,
        /// Member of the JDK class.
        member: MemberRef,
        /// Receiver (for `Construct` the identity of the new object, for static members `Null`).
        receiver: Value,
        /// Arguments.
        args: Vec<Value>,
        /// Its recorded result: a natural object that it returned gets this identity.
        result: Option<Value>,
    },
}

/// When a thread of several may go on from a point of the replay, compared with the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// When it may go on from the point itself.
    pub first: u32,
    /// Methods at whose beginning it waits again, before the next point.
    pub pauses: Vec<Pause>,
}

/// A thread waits at the beginning of a method of observed code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// How many methods it has begun since the point, this one included.
    pub entries: u32,
    /// When it may go on.
    pub turn: u32,
}

/// A thread waits for others where observed code meets them ([`jinsi_trace::order::Meetings`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// At this of its meetings, from 1.
    pub meeting: u32,
    /// When it may go on.
    pub turn: u32,
}

/// An incoming interaction: a circumstance of delta debugging if driven, or a call-back inside an outgoing interaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Interaction {
    /// Place in [`Level::interactions`] (driven ones; call-backs are numbered on their own, inside their outgoing interaction).
    pub no: u32,
    /// Where it stands in the history.
    pub node: NodeNo,
    /// Thread it ran on.
    pub thread: ThreadNo,
    /// Of a level of several threads: when it may begin.
    pub turn: Option<Box<Turn>>,
    /// What it does.
    pub op: Operation,
    /// Member as resolved: `owner` is the class that *declares* the method or field that ran.
    pub member: MemberRef,
    /// For `Construct`: internal name of the class of the new object. Else: run-time class of the receiver, or the class itself if static.
    pub target_class: String,
    /// Receiver (`Null` for static members and constructors).
    pub receiver: Value,
    /// Arguments, one a parameter.
    pub args: Vec<Value>,
    /// How it ended.
    pub outcome: Outcome,
    /// Changes since the previous interaction that happened outside: to be re-enacted before this one, even if others are left out.
    pub before: Vec<Effect>,
    /// What the observed code asked its environment meanwhile, in order. An answer is searched for only here (Burger 2011, Algorithm 1).
    pub outgoing: Vec<Outgoing>,
}

/// An outgoing interaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Outgoing {
    /// Where it stands in the history.
    pub node: NodeNo,
    /// Of a level of several threads: when it may return.
    pub turn: Option<Box<Turn>>,
    /// What it does.
    pub op: Operation,
    /// Member as the call or access site names it (for calls made by natural code: as declared by the class that ran it).
    pub member: MemberRef,
    /// Run-time class of the receiver (internal name), or the class itself if static or a constructor.
    pub target_class: String,
    /// Site of the call or access in observed code; `None` if natural code made it.
    pub site: Option<SiteNo>,
    /// Bytecode index there.
    pub bci: u16,
    /// Line there, 0 if unknown.
    pub line: u16,
    /// Receiver (`Null` for static members and constructors).
    pub receiver: Value,
    /// Arguments (writes: the value).
    pub args: Vec<Value>,
    /// How it ended: the answer.
    pub outcome: Outcome,
    /// Call-backs into observed code while it ran, in order.
    pub callbacks: Vec<Interaction>,
    /// What it changed in arrays and natural objects.
    pub effects: Vec<Effect>,
}

/// What a level knows of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectInfo {
    /// Identity.
    pub id: ObjectId,
    /// Internal name of its run-time class (`[I` and the like for arrays).
    pub class: String,
    /// Length if an array.
    pub length: Option<u32>,
    /// How replay makes it.
    pub role: Role,
}

/// How replay makes an object when it needs one that observed code did not make itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Instance of an observed class: only its own recorded constructor call makes it.
    Observed,
    /// What one interaction gives and a later one is given, where the recording has no identity of it: a text, or `null` ([`handed_on`]).
    Given,
    /// Instance of an observed class that no recorded constructor made (a clone, or deserialized, or made by `Unsafe`) and that
    /// came from outside: the real class without constructor, its fields set.
    Restored {
        /// Its fields when it first crosses into observed code ([`Content::Fields`]).
        initial: Option<Content>,
    },
    /// Anything else of the environment: the real class without its constructor; answers come from the level.
    Mock,
    /// An array: made with its length; content as effects and `initial` say.
    Array {
        /// Content when it first crosses into observed code, if known.
        initial: Option<Content>,
    },
    /// Natural object: made for real, from content or by its operations (`Effect::Natural`).
    ///
    /// A lambda that inside makes is natural, too: its content is what it has captured, so that this has an identity when the lambda
    /// is called back.
    Natural {
        /// Content when it first crosses into observed code, if it was recorded.
        initial: Option<Content>,
    },
    /// Enum constant or other immutable value made from text.
    Text(String),
    /// A throwable, made without constructor from the throwable table.
    Throwable,
    /// A lambda or other object of a hidden class; treated like `Mock`, named for diagnosis.
    Hidden,
    /// A lambda or method reference that recorded code made outside; where everything runs for real.
    Function {
        /// What it is made of.
        function: Box<Function>,
        /// What it has captured, as [`Content::Elements`].
        initial: Option<Content>,
    },
}

/// What runs the interactions of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Code of observed classes; what they ask their environment is answered from the recording.
    #[default]
    Replay,
    /// The classes themselves, those that were not recorded included: nothing is answered, and nothing stands in for anything.
    Direct,
}

impl Engine {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Replay => "replay",
            Engine::Direct => "direct",
        }
    }
}

/// The run as one observed set sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// What runs it.
    pub engine: Engine,
    /// What is set before each of its tests, if it is run for real.
    pub surroundings: Vec<Setting>,
    /// S: internal names of the observed classes.
    pub observed: BTreeSet<String>,
    /// Driven incoming interactions, in the order in which they began: the circumstances.
    pub interactions: Vec<Interaction>,
    /// Where threads of several wait for each other in the midst of observed code, ascending; nothing if that is not known.
    pub waits: BTreeMap<ThreadNo, Vec<Wait>>,
    /// Outgoing interactions of class initializers of observed classes: a context of their own, by class, for in
    /// another subset another interaction may touch the class first.
    pub class_inits: BTreeMap<String, Vec<Outgoing>>,
    /// What writes the static fields of observed classes whose initializers ran before the level begins, and what their values need. Those
    /// initializers do not run in a replay.
    pub statics: Vec<Effect>,
    /// Every object that any value above names.
    pub objects: BTreeMap<ObjectId, ObjectInfo>,
    /// Values that are smaller here than they were recorded (`search::shrink`); none as projected.
    pub shrunk: Vec<Shrunk>,
    /// Numbers of the interactions that gave a number or a text that the last one was given, or what its result is compared with; ascending. They stay, and
    /// each gives what it gave.
    pub beside: Vec<u32>,
}

impl Level {
    /// The driven interaction number `no`.
    pub fn interaction(&self, no: u32) -> Option<&Interaction> {
        self.interactions.get(no as usize).filter(|i| i.no == no)
    }

    /// The driven interaction during which `node` of the history happened, which `node` may begin.
    pub fn during(&self, node: NodeNo) -> Option<&Interaction> {
        // Nodes of a thread are neighbours, but the interactions are in the order of all threads.
        let begun = self.interactions.iter().filter(|i| i.node <= node);
        begun.max_by_key(|i| i.node)
    }

    /// Have several threads called in?
    pub fn is_threaded(&self) -> bool {
        let threads = self.interactions.iter().map(|i| i.thread);
        threads.clone().min() != threads.max()
    }
}

/// A value that was made smaller, because the failure does not need it as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// Number of the driven interaction that gets it.
    pub interaction: u32,
    /// Place among its arguments, from 0.
    pub argument: u32,
    /// The recorded value, for people.
    pub recorded: String,
    /// The smaller one.
    pub shrunk: String,
}

/// The recorded failure, as a predicate (Burger 2011, Section 4.1.1): the same on every level. The default holds for no exception.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrashPredicate {
    /// Binary name of the exception class.
    pub class: String,
    /// Stored message (`detailMessage`), `None` if it has none of its own.
    pub message: Option<String>,
    /// The message is the JDK's, of this feature release; others may word it otherwise. `None` if it is the program's.
    pub message_of_jdk: Option<u32>,
    /// Binary name of the class of the first frame that is the program's ([`program`]); of the topmost one if none is.
    /// Empty if it may be thrown anywhere (a stack overflow).
    pub at_class: String,
    /// Its method.
    pub at_method: String,
    /// Its line, ≤ 0 if unknown (then not compared).
    pub at_line: i32,
}
