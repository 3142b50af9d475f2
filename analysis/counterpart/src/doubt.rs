//! Why it is not known whether a call would have given the same in the other version.

use jinsi_inspect::Why;

/// How the JVM with the other version says that a method is not there (`jinsi.replay.Counterpart`).
const NO_METHOD: &str = "the other version has no such";

/// Why it is not known whether a call would have given the same in the other version.
///
/// Some of them say what is not known of an object, and then follow "it is given" or "what is in".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Doubt {
    /// In the words of the JVM with the other version.
    #[error("{text}")]
    Reported { text: String },
    /// Of a part: a variable, a field, an element.
    #[error("{path}: {why}")]
    Part { path: String, why: Box<Doubt> },
    #[error("it is given {why}")]
    Given { why: Box<Doubt> },
    /// There is a difference, which may have another cause than the program.
    #[error("{difference}, but {why}")]
    Difference { difference: String, why: Box<Doubt> },
    /// There is a difference, which may be none.
    #[error("{difference}")]
    Unsure { difference: String },

    #[error("a class is initialized only once")]
    Initializer,
    #[error("the recording ended before the call did")]
    Unfinished,
    #[error("its instructions were not recorded")]
    NoInstructions,
    #[error("it is not known which object it constructs")]
    NotConstructed,
    #[error("its arguments were not recorded")]
    NoArguments,
    #[error("it constructs one part of an object whose other parts exist already")]
    PartlyConstructed,
    #[error("how the call ended is not known")]
    NoEnd,
    #[error("the other version returns no value")]
    NoResult,
    #[error("what it printed is not known")]
    NoOutput,
    #[error("the two recordings know different things about it")]
    DifferentlyKnown,
    #[error("an object is missing")]
    NoObject,

    #[error("jinsi cannot read the reply of the JVM with the other version")]
    BadReply,
    #[error("the call does not end in the other version")]
    Endless,
    #[error("the JVM with the other version has ended: {why}")]
    Ended { why: String },
    #[error("it ended by a {class} there, because the two versions do not fit together")]
    Misfit { class: String },
    #[error("it ended by a {class} there: a file or a setting may be missing")]
    Refused { class: String },
    #[error(
        "it ended by a NullPointerException there, and a static field may be missing: not all are known"
    )]
    StaticMayBeNull,
    #[error("the other version has one more field, {class}.{name}")]
    MoreFields { class: String, name: String },
    #[error("the other version has no {path}.{name}")]
    FewerFields { path: String, name: String },
    #[error("the other version never initializes {class}, so {class}.{name} is not set")]
    NotInitialized { class: String, name: String },
    #[error("{path}: the field has another type in the other version")]
    OtherField { path: String },
    #[error("{path}: this run has no class {class}")]
    NoClass { path: String, class: String },
    #[error("the content of a {class} is not known")]
    NoContent { class: String },
    #[error("the order depends on hash codes, which the JVM draws at random")]
    Order,
    #[error("called again, the other version gives something else")]
    Unstable,

    #[error("it reads a file beside the classes, which may differ in the other version")]
    Beside,
    #[error("it depends on hash codes, which the JVM draws at random")]
    Drawn,
    #[error("it asks a class for its members, which may differ in the other version")]
    Members,
    #[error("another thread takes part, and when it does is not known")]
    Thread,
    #[error("it reads memory by sun.misc.Unsafe, which is not recorded")]
    Memory,

    #[error("{0}")]
    Unknown(Why),
    #[error("a {class} ({why})")]
    NotMade { class: String, why: Box<Doubt> },
    #[error("a {class} that is never seen again")]
    Nameless { class: String },
    #[error("a {class}")]
    Object { class: String },
    #[error("an unknown class")]
    Class,
    #[error("too many objects")]
    TooManyObjects,
    #[error("too many objects: looking at all of them takes too long")]
    TooLong,
    #[error("its superclass is not recorded")]
    Superclass,
    #[error("an array of arrays, one of which the program never looked at")]
    NestedArray,
    #[error("a large array")]
    LargeArray,
    #[error("an object that was given arrays with too many elements")]
    LargeArrays,
    #[error("an object with too many calls")]
    TooManyCalls,
    #[error("a {class} of the operating system or the JVM")]
    OfMachine { class: String },
    #[error("a {class} whose creation was not recorded")]
    NotBorn { class: String },
    #[error("a {class} that is just being changed by {method}")]
    Midst { class: String, method: String },
    #[error("a {class} that was given a large array")]
    GivenLargeArray { class: String },
    #[error("a {class} that holds the time of its creation")]
    Now { class: String },
    #[error("a {class}: a lambda takes part")]
    Lambda { class: String },
    #[error("a {class}: {method} depends on the operating system or the JVM")]
    Machine { class: String, method: String },
    #[error("a {class}: {method} asks the environment")]
    Environment { class: String, method: String },
    #[error("a {class}: {method} called recorded code, {callee}")]
    CalledBack {
        class: String,
        method: String,
        callee: String,
    },
}

impl Doubt {
    /// In the words of the JVM with the other version.
    pub(crate) fn reported(text: Option<String>) -> Self {
        Self::Reported {
            text: text.unwrap_or_default(),
        }
    }

    /// Of a part.
    pub(crate) fn of(self, path: &str) -> Self {
        Self::Part {
            path: path.to_owned(),
            why: Box::new(self),
        }
    }

    /// Has the other version no such method, or none that takes and gives the same?
    pub fn is_no_method(&self) -> bool {
        matches!(self, Self::Reported { text } if text.starts_with(NO_METHOD))
    }
}
