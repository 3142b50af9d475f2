//! The event model: what a trace says, independent of how it is stored.
//!
//! A trace has *tables* (classes, sites, threads, throwables, …) and, a thread, one *stream* of events.
//! Every event names a [`Site`]; the site says what kind of event it is and what its operands are, so that an event
//! itself is only a site number and operand values.

mod detail;
mod event_id;
mod numbers;
mod operation;
mod text;
mod value;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use detail::{Detail, UnknownDetail};
pub use event_id::{BadEventId, EventId};
pub use numbers::{ClassNo, SiteNo};
pub use operation::Operation;
pub use text::Text;
pub use value::{Content, FieldName, Fields, JavaString, Prim, Value, box_class, is_string_or_box};

/// Number of a recorded thread, from 0 in order of first event.
pub type ThreadNo = u32;
/// Identity of an object; given on demand, by identity, never used twice (Burger 2011, Section 3.1.2). 0 is `null` and never an object.
pub type ObjectId = u64;
/// Number of a test or note in the table of marks, from 0.
pub type MarkNo = u32;

/// What an event is. The discriminants are part of the file format.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EventKind {
    /// An observed method or constructor begins. Operands: the receiver (instance methods only, not constructors), then the parameters.
    Enter = 1,
    /// Inside a constructor, right after `super(…)`/`this(…)`: the object now has an identity. Operand: the object.
    This = 2,
    /// An observed method returns. Operand: the value, none for `void`.
    Exit = 3,
    /// An observed method ends by an exception. Operand: the throwable.
    ExitThrow = 4,
    /// A handler inside an observed method takes over. Operand: the throwable. It ends the calls that are open in its frame.
    Catch = 5,
    /// A call site in an observed method. Operands: receiver (if any; none for constructors), arguments. A *light* site
    /// ([`Site::light`]) has none: its callee is observed and records them itself.
    Call = 6,
    /// The call returned. Operand: the value (none for `void` and light sites); for a constructor call, the new object.
    CallExit = 7,
    /// Read of an instance field of another object. Operands: receiver, value read.
    GetField = 8,
    /// Write of an instance field of another object. Operands: receiver, value to be written.
    PutField = 9,
    /// Read of a static field. Operand: value read.
    GetStatic = 10,
    /// Write of a static field. Operand: value to be written.
    PutStatic = 11,
    /// Array element read. Operands: array, index, value.
    ArrayLoad = 12,
    /// Array element write. Operands: array, index, value.
    ArrayStore = 13,
    /// An object gets its identity; precedes, in the same stream, the first event that names it. See [`Payload::Define`].
    Define = 14,
    /// Content of an array, a natural object or an object without recorded constructor at this moment. See [`Payload::Content`].
    Content = 15,
    /// The thread dies of an exception. Operand: the throwable.
    Uncaught = 16,
    /// Order between threads. Operand: a stamp, see [`crate::order::Stamp`].
    Order = 17,
    /// A test begins or ends on this thread. Operand: a word, see [`Phase`].
    Mark = 18,
    /// The control flow of a method from its last Path event, or its beginning, up to the site's instruction. Operand: the number of the acyclic
    /// path (Ball and Larus, as `jinsi_classfile::cfg::paths` numbers them). At a handler, and where the method ends by an exception, a second:
    /// the bytecode index of what threw, or −1 if the handler was jumped to. At the end, last, the object of the method, if it accesses its fields.
    Path = 19,
    /// Accesses to memory by one stretch of a method, reported at once. Readers of this crate give the events of [`Site::parts`] in its place.
    /// Operands: what the parts have. One without parts stands for itself, and tells nothing.
    Run = 20,
    /// A value that an instruction gave and nothing else tells (`detail=states`): of a field of the method's own object, or, by a static method, of
    /// its class; of a call that only computes; of `instanceof`. It belongs to no interaction. Operand: the value.
    Given = 21,
}

impl EventKind {
    /// All kinds, in the order of their discriminants.
    pub const ALL: [EventKind; 21] = [
        EventKind::Enter,
        EventKind::This,
        EventKind::Exit,
        EventKind::ExitThrow,
        EventKind::Catch,
        EventKind::Call,
        EventKind::CallExit,
        EventKind::GetField,
        EventKind::PutField,
        EventKind::GetStatic,
        EventKind::PutStatic,
        EventKind::ArrayLoad,
        EventKind::ArrayStore,
        EventKind::Define,
        EventKind::Content,
        EventKind::Uncaught,
        EventKind::Order,
        EventKind::Mark,
        EventKind::Path,
        EventKind::Run,
        EventKind::Given,
    ];

    /// The kind with discriminant `n`.
    pub fn from_u8(n: u8) -> Option<Self> {
        Self::ALL.get(usize::from(n).checked_sub(1)?).copied()
    }

    /// Do events of this kind belong to a place in the code? The others have no site.
    pub fn has_site(self) -> bool {
        !matches!(
            self,
            EventKind::Define
                | EventKind::Content
                | EventKind::Uncaught
                | EventKind::Order
                | EventKind::Mark
        )
    }
}

/// A member as a class file names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemberRef {
    /// Internal name of the class (`java/util/List`), or an array descriptor for `clone()` on arrays.
    pub owner: Text,
    /// Simple name; `<init>` and `<clinit>` as the JVM has them.
    pub name: Text,
    /// Descriptor (JVMS §4.3).
    pub desc: Text,
}

/// How a call site invokes; [`CallOp::None`] for sites that are no calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CallOp {
    /// Not a call site.
    None,
    /// `invokevirtual`.
    Virtual,
    /// `invokespecial` of anything but a constructor.
    Special,
    /// `invokespecial` of a constructor on an object made by `new` in the same method.
    New,
    /// `invokestatic`.
    Static,
    /// `invokeinterface`.
    Interface,
    /// `invokedynamic`; `target.owner` is the bootstrap method's class.
    Dynamic,
}

/// A place that makes events, all of one kind: in an observed class, or ([`Site::outside`]) one that accesses its fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Own number.
    pub no: SiteNo,
    /// Kind of all its events.
    pub kind: EventKind,
    /// Class that holds the code.
    pub class: ClassNo,
    /// Method that holds the code, name.
    pub method: Text,
    /// Method that holds the code, descriptor.
    pub desc: Text,
    /// Access flags of the method that holds the code (JVMS table 4.6-A).
    pub access: u16,
    /// Bytecode index of the instruction in the *original* code; 0 for `Enter`, the handler's for `Catch`.
    pub bci: u16,
    /// Source line, 0 if unknown.
    pub line: u16,
    /// The member called or accessed; for `Enter`/`This`/`Exit`/`ExitThrow`/`Catch` the method itself.
    pub target: MemberRef,
    /// How it is called.
    pub op: CallOp,
    /// Operand types, one descriptor letter each: `ZBCSIJFD`, and `L` for references of every kind.
    pub operands: Text,
    /// A call whose callee is surely observed: no operands, its `Enter` says everything.
    pub light: bool,
    /// The code is not observed, its target is: an access of the environment, which belongs to no activation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
    /// Of an Enter site: the method's control flow is recorded, by Path events (none if there is but one way through it), and so are all
    /// accesses to memory but those to its own object and to static fields of its own class.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stepwise: bool,
    /// Of a [`EventKind::Run`] site: the events that one of its events stands for, oldest first; at most [`MOST_PARTS`] count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<RunPart>,
}

/// Most events that an event stands for.
pub const MOST_PARTS: usize = 64;

/// One of the events that an event of the kind [`EventKind::Run`] stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPart {
    /// Its kind, which is that of its site.
    pub kind: EventKind,
    /// Its site.
    pub site: SiteNo,
    /// Its operands: for each the position among the operands of the run, and what is added to it if it is an `int`; or [`ALWAYS`], and the
    /// `int` that it always is.
    pub operands: Vec<(u8, i32)>,
}

/// In the place of a position in [`RunPart::operands`]: the operand is always the same.
pub const ALWAYS: u8 = u8::MAX;

/// Where the bytes of a class come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClassOrigin {
    /// Matched by `observe=`: the original bytes are in the trace.
    Observed,
    /// Neither observed nor the JDK's: a skeleton (members without code) is in the trace.
    Skeleton,
    /// The JDK's own: taken from the replaying machine's JDK.
    Jdk,
    /// Matched by `observe=` but not rewritten; original bytes are in the trace, its interactions are not.
    Skipped,
    /// Not observed, but observed classes inherit its code: the original bytes are in the trace, and what its code does on instances of
    /// observed classes is recorded (Burger 2011, Section 7.3). May come after a [`Self::Skeleton`] of the same number, and replaces it.
    Inherited,
}

/// A class in the class table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassDef {
    /// Own number.
    pub no: ClassNo,
    /// Internal name (`org/joda/time/Period`); for arrays the descriptor (`[I`).
    pub name: String,
    /// Internal name of the superclass, if any.
    pub super_name: Option<String>,
    /// Internal names of the direct superinterfaces.
    pub interfaces: Vec<String>,
    /// Access flags (JVMS table 4.1-B).
    pub access: u16,
    /// What is known of it.
    pub origin: ClassOrigin,
    /// `SourceFile` attribute.
    pub source_file: Option<String>,
    /// Class file: original bytes or skeleton; empty for the JDK's.
    #[serde(skip)]
    pub bytes: Arc<[u8]>,
}

/// One frame of a recorded stack trace, innermost first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// Binary name of the declaring class (`org.joda.time.Period`).
    pub class: String,
    /// Method name.
    pub method: String,
    /// Source file, if known.
    pub file: Option<String>,
    /// Line; −1 unknown, −2 native.
    pub line: i32,
}

/// A throwable seen by an observed class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThrowableDef {
    /// Identity.
    pub id: ObjectId,
    /// Binary name of its class.
    pub class: String,
    /// The message as stored in the object (`detailMessage`): `None` for the VM's own NullPointerExceptions.
    pub message: Option<String>,
    /// The message as a person reads it (what `getMessage()` of `Throwable` or NullPointerException gives).
    pub text: Option<String>,
    /// Identity of the cause, 0 if none.
    pub cause: ObjectId,
    /// Stack trace, innermost frame first.
    pub frames: Vec<Frame>,
}

/// Why a throwable is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureKind {
    /// It ended its thread.
    Uncaught,
    /// Its class is in `fail=` and it was thrown in, or into, an observed class.
    Listed,
    /// A test framework reported it as the end of a test.
    Test,
}

/// A failure of the recorded run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Why it counts.
    pub kind: FailureKind,
    /// The throwable.
    pub throwable: ObjectId,
    /// Thread it happened on; of a test, the one on which the framework reported so.
    pub thread: ThreadNo,
    /// The test that failed, if a test framework reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<MarkNo>,
}

/// A test of the recorded run, as its framework names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkDef {
    /// Own number.
    pub no: MarkNo,
    /// Binary name of the test's class.
    pub class: String,
    /// The method, and behind it what tells apart the runs of a test that is run several times, such as `adds()[2]`.
    pub name: String,
}

impl MarkDef {
    /// Class and test, `com.foo.BarTest.adds`.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.class, self.name)
    }
}

/// What a [`EventKind::Mark`] event says of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It begins.
    Begin,
    /// It has ended, successful or given up.
    End,
    /// It has failed.
    Failed,
}

impl Phase {
    /// Number of the test, and what of it, in an event's operand word: the number times four, and 0, 1 or 2. `None` for other words.
    pub fn of_word(word: u64) -> Option<(MarkNo, Phase)> {
        let phase = match word & 3 {
            0 => Phase::Begin,
            1 => Phase::End,
            2 => Phase::Failed,
            _ => return None,
        };
        Some((MarkNo::try_from(word >> 2).ok()?, phase))
    }
}

/// What a [`Skipped`] record concerns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LossKind {
    /// A whole class that stays as it is.
    #[default]
    Class,
    /// A class that was there before recording began.
    Early,
    /// A part of a class that is recorded otherwise, such as a method without room for probes.
    Part,
    /// Threads.
    Threads,
    /// Failures that were counted only.
    Failures,
    /// Events: the trace has reached the size it may have.
    Events,
    /// Events: the trace could not be written any more, say because the disk was full.
    Unwritten,
}

/// Why a class is not recorded of which another loader has had another version.
pub const OTHER_VERSION: &str = "a different class of this name (another loader) is not recorded";

/// A class that was matched by `observe=` and could not be rewritten, or lost something on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Internal name of the class.
    pub class: String,
    /// One line: why.
    pub reason: String,
    /// What it concerns.
    #[serde(default)]
    pub kind: LossKind,
}

/// What somebody said of the program while it ran (`jinsi mark`): that something is wrong, though nothing need have been thrown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// Their words; may be empty.
    pub text: String,
    /// When, in seconds since the start of the recording.
    pub seconds: f64,
}

/// What is left of a recording of which the beginning was dropped while it went on (`at-max=window`). From here on every object
/// has its identity recorded again, and what it holds, before the first event that names it; so the rest can be replayed, but for calls
/// that were running then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// Ordinal of the first thread buffer that belongs to it; what is in earlier ones counts as dropped.
    pub first: u64,
    /// When it began, in seconds since the start of the recording.
    pub seconds: f64,
}

/// What a damage may have taken from a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LostKind {
    /// Nothing that is part of the recording.
    Nothing,
    /// Events.
    Events,
    /// A record of a table.
    Record,
    /// It is not known.
    #[default]
    Unknown,
}

/// Damage of the trace that this one was made of. What was lost there is missing here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamageDef {
    /// One line: what and where.
    pub what: String,
    /// What it may have taken.
    pub lost: LostKind,
    /// Of which thread, if that is known.
    pub thread: Option<ThreadNo>,
}

/// What the agent knew when it began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// Version of jinsi that wrote the trace.
    pub jinsi: String,
    /// Process id.
    pub pid: u32,
    /// Start, in milliseconds since the epoch.
    pub started_ms: u64,
    /// `java.version` and `java.vm.name` of the recorded JVM.
    pub java_version: String,
    /// `java.vm.name`.
    pub java_vm: String,
    /// Agent options as given.
    pub options: String,
    /// `observe=` patterns.
    pub observe: Vec<String>,
    /// `exclude=` patterns.
    pub exclude: Vec<String>,
    /// `detail=`.
    pub detail: Detail,
    /// The events are those of a replay (`jinsi expand`) of what was recorded in less detail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub expanded: bool,
}

impl Meta {
    /// Has the trace its classes as replay rewrote them?
    pub fn is_of_rewritten_code(&self) -> bool {
        self.expanded && self.detail.has_instructions()
    }
}

/// What the program had around it when it began: what code that runs for real, long after, may need to behave as it did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surroundings {
    /// Jars and directories of the class path, absolute, in its order. What a jar's manifest adds stands behind it.
    #[serde(default)]
    pub class_path: Vec<String>,
    /// Identifier of the default time zone, as `java.util.TimeZone` has them, if it could be known.
    #[serde(default)]
    pub time_zone: Option<String>,
    /// System properties: those of language and encoding, and those that the command line set; no secrets (by their names).
    #[serde(default)]
    pub properties: BTreeMap<String, String>,
    /// Options of the JVM by which modules, and what is in them, are there and open to the program: `--add-opens=…`, `--enable-preview`, ….
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jvm_options: Vec<String>,
    /// How the JVM was started; `None` in traces of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<Launch>,
}

/// How the program's JVM was started: what a second JVM of the same kind needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// `java.home`.
    pub java_home: String,
    /// The working directory, absolute.
    pub directory: String,
    /// The JVM's options in their order, whichever way it got them, without those for jinsi's agent. No class path, and no secrets (by their names).
    pub arguments: Vec<String>,
}

/// The class file of a class that the program loaded and that is not observed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassFile {
    /// Internal name (`com/fasterxml/jackson/core/JsonFactory`).
    pub name: String,
    /// Its bytes, as it was loaded.
    #[serde(skip)]
    pub bytes: Arc<[u8]>,
}

/// Class files of classes that are not observed, some of those that a recording keeps: what code that runs for real needs where the
/// program's libraries are not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassFiles {
    /// In the order of loading.
    pub files: Vec<ClassFile>,
    /// Classes that are not kept for want of room, as far as the records before do not have them.
    #[serde(default)]
    pub left_out: u64,
}

/// Written at an orderly end of the program. Its absence means the process was killed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// End, in milliseconds since the epoch.
    pub ended_ms: u64,
    /// Classes rewritten.
    pub classes_rewritten: u32,
    /// Contents of arrays or natural objects that were larger than the bound and were not recorded.
    pub contents_dropped: u64,
    /// Events dropped for want of space.
    pub events_dropped: u64,
    /// Seconds the program ran.
    pub seconds: f64,
}

/// A table record. Records are appended as they arise and always before the events that name them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Record {
    /// The first record of a trace.
    Meta(Meta),
    /// A class; its bytes travel behind the record.
    Class(ClassDef),
    /// Sites, a class's at a time.
    Sites(Vec<Site>),
    /// A thread.
    Thread {
        /// Own number.
        no: ThreadNo,
        /// Its Java name.
        name: String,
    },
    /// A throwable.
    Throwable(ThrowableDef),
    /// A failure.
    Failure(Failure),
    /// A test.
    Mark(MarkDef),
    /// What the program had around it; at most one.
    Surroundings(Surroundings),
    /// System properties that were set between the start of the JVM and its first test, as builds do; no secrets (by their names). At most one.
    TestProperties(BTreeMap<String, String>),
    /// Class files of what is not observed; their bytes travel behind the record.
    ClassFiles(ClassFiles),
    /// A class left alone.
    Skipped(Skipped),
    /// Somebody's words.
    Note(Note),
    /// Objects of these classes of the JDK's have identity hash codes: `hashCode()` is that of `Object`.
    IdentityHashed(ClassNo),
    /// What decides in which order the JDK's immutable sets and maps iterate, drawn anew by each JVM
    /// (`java.util.ImmutableCollections.SALT32L`).
    Salt(u32),
    /// What of the recording is left. The last one counts.
    Window(Window),
    /// What was damaged in the trace that this one was made of.
    Damage(DamageDef),
    /// The orderly end.
    End(End),
}

impl Record {
    /// Does it concern events of its own time only, so that it may go with them? What is still needed later has to be said again then.
    pub fn is_perishable(&self) -> bool {
        matches!(
            self,
            Self::Throwable(_) | Self::Thread { .. } | Self::Window(_)
        )
    }
}

/// What an event carries besides its site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// Operand values, as the site's [`Site::operands`] say.
    Operands(Vec<Value>),
    /// [`EventKind::Define`].
    Define {
        /// The new identity.
        id: ObjectId,
        /// Run-time class.
        class: ClassNo,
        /// Length if it is an array.
        length: Option<u32>,
    },
    /// [`EventKind::Content`].
    Content {
        /// The array, natural object, or object without recorded constructor.
        id: ObjectId,
        /// What it holds at this moment.
        content: Content,
    },
}

/// One event of a thread's stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Kind.
    pub kind: EventKind,
    /// Site; `None` for kinds without ([`EventKind::has_site`]).
    pub site: Option<SiteNo>,
    /// Values.
    pub payload: Payload,
}
