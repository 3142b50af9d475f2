//! Rewrites classes for replay (`java-harness/SESSION.md`): bytes in, bytes and bridges out. Knows no JVM.
//!
//! *Observed* classes, and what they inherit code from, keep their code: sites that may reach the environment become
//! calls of *bridges*, added methods `jinsi$N` that ask the worker for the recorded answer ([`observed`]).
//! *Environment* classes keep their shape only: every method is a *trap* ([`environment`]). *Natural* classes are left
//! as they are.

mod bridge;
mod counting;
mod environment;
mod flips;
mod guard;
mod lines;
mod missing;
mod monitors;
mod observed;
mod parents;
mod references;
mod sites;
pub mod today;
mod universe;

use std::collections::{BTreeSet, HashMap};

use jinsi_classfile::asm::AsmError;
pub use jinsi_classfile::bridges::BRIDGE_PREFIX;
use jinsi_classfile::descriptor::DescriptorError;
use jinsi_classfile::edit::OffsetMap;
use jinsi_classfile::flow::FlowError;
use jinsi_classfile::frames::FrameError;
use jinsi_classfile::insn::InsnError;
use jinsi_classfile::references::ReferenceError;
use jinsi_classfile::subst::SubstError;
use jinsi_classfile::{EditError, ParseError, PoolError, WriteError};
use jinsi_events::model::{MemberRef, Operation, SiteNo};
use jinsi_natural::Natural;

pub use counting::counting;
pub use environment::environment;
pub use flips::{FlipKind, FlipSite};
pub use lines::Lines;
pub use missing::{Missing, Place};
pub use observed::observed;
pub use universe::{Class, Declared, Universe};

/// The class that rewritten code calls.
const REPLAY: &str = "jinsi/replay/Replay";

/// A class that cannot be rewritten: a level that needs it cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The class file cannot be parsed.
    #[error("the class file of {class} cannot be read: {source}")]
    Parse {
        /// Internal name, as far as known.
        class: String,
        /// What is wrong with it.
        source: ParseError,
    },
    /// Code of a form that the rewriting has no answer to.
    #[error("{class}.{method}{desc}, bytecode index {bci}: {reason}")]
    Unsupported {
        /// Internal name.
        class: String,
        /// Method name.
        method: String,
        /// Method descriptor.
        desc: String,
        /// Index of the instruction.
        bci: u32,
        /// What it is about.
        reason: &'static str,
    },
    /// A class of the JDK is observed: no loader but the JVM's own may define it again.
    #[error("{class} belongs to the JDK, which cannot be observed in a replay")]
    Jdk {
        /// Internal name.
        class: String,
    },
    /// An observed class inherits code that is not in the trace.
    #[error("{class} inherits from {ancestor}, whose code is not in the trace")]
    NoInheritedCode {
        /// Observed class.
        class: String,
        /// Its superclass.
        ancestor: String,
    },
    /// An observed class whose code is not in the trace.
    #[error("the code of {class} is not in the trace")]
    NoCode {
        /// Internal name.
        class: String,
    },
    /// A class of the session would do something of the environment's for real, by a way on which nothing can be put in its place.
    #[error("{class} has {what}, which a replay cannot answer from the recording")]
    Indirect {
        /// Internal name.
        class: String,
        /// What it is.
        what: String,
    },
    /// Malformed code, or a limit of the class file format.
    #[error("{class}.{method}: {source}")]
    Code {
        /// Internal name.
        class: String,
        /// Method name; empty if the class as a whole is concerned.
        method: String,
        /// What went wrong.
        source: CodeError,
    },
}

/// What the class-file library reports while code is rewritten.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum CodeError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error(transparent)]
    Insn(#[from] InsnError),
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
    #[error(transparent)]
    Flow(#[from] FlowError),
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[error(transparent)]
    Asm(#[from] AsmError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Subst(#[from] SubstError),
    #[error(transparent)]
    Reference(#[from] ReferenceError),
}

/// A redirected site: a method `jinsi$no` in an observed class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bridge {
    /// Number, unique in the session.
    pub no: u32,
    /// What the site does.
    pub op: Operation,
    /// Member as the site names it.
    pub member: MemberRef,
    /// Internal name of the class that holds the site.
    pub class: String,
    /// Method that holds the site, name.
    pub method: String,
    /// Method that holds the site, descriptor.
    pub desc: String,
    /// Bytecode index in the original code.
    pub bci: u16,
    /// Line, 0 if unknown.
    pub line: u16,
    /// Site in the trace; `None` if the trace has none for this place.
    pub site: Option<SiteNo>,
}

/// A method of an environment class whose body is a trap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// Number, unique in the session.
    pub no: u32,
    /// `Call`, `CallStatic`, or `Construct`.
    pub op: Operation,
    /// The method.
    pub member: MemberRef,
}

/// How a class of the table takes part in the replay of an observed set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassRole {
    /// In S.
    Observed,
    /// Not in S, but an S class inherits its code: instance methods run on observed objects; its statics are
    /// environment.
    Inherited,
    /// Runs for real, untouched.
    Natural,
    /// Answered from the trace.
    Environment,
}

/// What rewriting asks about the world: the class table, S, and what is natural.
#[derive(Clone, Debug)]
pub struct World<'a> {
    universe: &'a Universe,
    natural: &'a Natural,
    observed: &'a BTreeSet<String>,
    /// Observed classes that were loaded, to verify others, and never in use.
    unused: BTreeSet<&'a str>,
    inherited: BTreeSet<&'a str>,
    /// Superclasses of those whose code is not in the trace.
    without_code: BTreeSet<&'a str>,
    /// Supertypes of classes that are not in S.
    of_others: BTreeSet<&'a str>,
    /// Classes whose initializers ran before the recording begins.
    initialized: BTreeSet<String>,
    /// Classes that the program asked for and did not have.
    missing: Missing,
}

impl<'a> World<'a> {
    /// The world of the observed set `observed`. `is_lost` says of a class whose code is not in the trace whether an observed one that was in use
    /// may inherit it.
    ///
    /// The code of what an observed class inherits is recorded when that is prepared (JVMS §5.4.2), before it has an instance or runs. One
    /// that was never prepared, like an exception never thrown, is environment here: nothing of it has happened.
    ///
    /// # Errors
    /// An observed class without code, or with a superclass outside the JDK whose code is lost.
    pub fn new(
        universe: &'a Universe,
        natural: &'a Natural,
        observed: &'a BTreeSet<String>,
        is_lost: impl Fn(&str) -> bool,
    ) -> Result<Self, RewriteError> {
        let mut inherited = BTreeSet::new();
        let mut unused = BTreeSet::new();
        let mut without_code = BTreeSet::new();
        for name in observed {
            if name.starts_with("java/") {
                return Err(RewriteError::Jdk {
                    class: name.clone(),
                });
            }
            if !universe.class(name).is_some_and(Class::has_code) {
                return Err(RewriteError::NoCode {
                    class: name.clone(),
                });
            }
            let ancestor = universe.superclasses(name).find(|c| !c.has_code());
            if let Some(ancestor) = ancestor.filter(|c| !c.bytes().is_empty()) {
                if is_lost(ancestor.name()) {
                    return Err(RewriteError::NoInheritedCode {
                        class: name.clone(),
                        ancestor: ancestor.name().to_owned(),
                    });
                }
                unused.insert(&**name);
                let superclasses = universe.superclasses(name).map(Class::name);
                without_code.extend(superclasses.filter(|s| {
                    !observed.contains(*s)
                        && !natural.is_natural_class(s)
                        && universe.class(s).is_some_and(Class::has_bytes)
                }));
                continue;
            }
            let supertypes = universe.supertypes(name).into_iter();
            inherited.extend(supertypes.filter(|s| {
                !observed.contains(*s)
                    && !natural.is_natural_class(s)
                    && universe.class(s).is_some_and(Class::has_code)
            }));
        }
        let others = universe.with_bytes().into_iter().map(Class::name);
        let of_others = others
            .filter(|name| !observed.contains(*name))
            .flat_map(|name| universe.supertypes(name))
            .collect();
        Ok(Self {
            universe,
            natural,
            observed,
            unused,
            inherited,
            without_code,
            of_others,
            initialized: BTreeSet::new(),
            missing: Missing::default(),
        })
    }

    /// The same. The initializers of these classes (internal names) ran before the recording begins, and what their static fields held
    /// then is known.
    pub fn with_initialized(self, initialized: BTreeSet<String>) -> Self {
        Self {
            initialized,
            ..self
        }
    }

    /// The same. These classes were asked for and not there.
    pub fn with_missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }

    /// Is this a class whose initializer ran before the recording begins?
    pub fn is_initialized(&self, class: &str) -> bool {
        self.initialized.contains(class)
    }

    /// The world in which the classes `observed` and `inherited` have their parts, and all others are environment.
    ///
    /// Objects of which one of `of_others` is a superclass may be stand-ins.
    fn of_parts(
        universe: &'a Universe,
        natural: &'a Natural,
        observed: &'a BTreeSet<String>,
        inherited: BTreeSet<&'a str>,
        of_others: BTreeSet<&'a str>,
    ) -> Self {
        Self {
            universe,
            natural,
            observed,
            unused: BTreeSet::new(),
            without_code: BTreeSet::new(),
            inherited,
            of_others,
            initialized: BTreeSet::new(),
            missing: Missing::default(),
        }
    }

    /// The part that the class `name` has.
    pub fn role(&self, name: &str) -> ClassRole {
        let has_code = || self.universe.class(name).is_some_and(Class::has_code);
        if self.is_observed(name) {
            ClassRole::Observed
        } else if self.inherited.contains(name) {
            ClassRole::Inherited
        } else if self.natural.is_natural_class(name) && has_code() {
            ClassRole::Natural
        } else {
            ClassRole::Environment
        }
    }

    /// The part that `name` has where all classes have their code: an observed class that was never in use may be used there.
    pub fn role_with_code(&self, name: &str) -> ClassRole {
        match self.role(name) {
            _ if self.observed.contains(name) => ClassRole::Observed,
            ClassRole::Environment if self.without_code.contains(name) => ClassRole::Inherited,
            role => role,
        }
    }

    /// Whether `name` is in S.
    fn is_observed(&self, name: &str) -> bool {
        self.observed.contains(name) && !self.unused.contains(name)
    }

    /// Whether a class that is not in S inherits from `name`.
    pub fn is_inherited_by_others(&self, name: &str) -> bool {
        self.of_others.contains(name)
    }

    /// Whether an object of which `name` is a superclass may be a stand-in: `name` itself, or something that inherits
    /// from it, is not in S.
    fn may_be_mocked(&self, name: &str) -> bool {
        !self.is_observed(name) || self.of_others.contains(name)
    }
}

/// Bridges and traps made so far; their numbers count from 1 through all classes of a session.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// Redirected sites.
    pub bridges: Vec<Bridge>,
    /// Trapped methods.
    pub traps: Vec<Trap>,
    /// Jumps that can be turned, and what is reported beside them.
    pub flips: Vec<FlipSite>,
    /// Lines of observed code, if they are to be counted: it tells the worker when one begins.
    pub lines: Option<Lines>,
    /// Where code went, if the replay is going to be recorded; such classes also say what their bridges stand for
    /// ([`jinsi_classfile::bridges`]).
    pub layouts: Option<Layouts>,
    /// Several threads take turns. None has to be kept out by a monitor, and none may wait for another that waits for its turn: there
    /// are no monitors then.
    pub threaded: bool,
    /// Numbers of the last bridge and trap that others have made.
    pub before: (u32, u32),
}

/// Where the instructions of rewritten methods have gone.
#[derive(Clone, Debug, Default)]
pub struct Layouts(HashMap<MemberRef, OffsetMap>);

impl Layouts {
    /// The bytecode index in the original code of `method` of what is at `bci` in its rewritten code.
    pub fn original(&self, method: &MemberRef, bci: u16) -> u16 {
        let moved = self.0.get(method).and_then(|m| m.original(u32::from(bci)));
        moved.map_or(bci, |original| original as u16)
    }
}

impl Tables {
    /// Tables whose first bridge and trap have numbers behind these.
    fn behind(bridges: u32, traps: u32) -> Self {
        Self {
            before: (bridges, traps),
            ..Self::default()
        }
    }

    fn add_bridge(&mut self, mut bridge: Bridge) -> u32 {
        bridge.no = self.before.0 + self.bridges.len() as u32 + 1;
        let no = bridge.no;
        self.bridges.push(bridge);
        no
    }

    fn add_trap(&mut self, op: Operation, member: MemberRef) -> u32 {
        let no = self.before.1 + self.traps.len() as u32 + 1;
        self.traps.push(Trap { no, op, member });
        no
    }
}
