//! The tables of a run: names, columns, and what they hold.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `BIGINT`.
    Int,
    /// `VARCHAR`.
    Text,
    /// `BOOLEAN`.
    Bool,
    /// `DOUBLE`.
    Real,
}

impl Type {
    pub(crate) fn arrow(self) -> DataType {
        match self {
            Type::Int => DataType::Int64,
            Type::Text => DataType::Utf8,
            Type::Bool => DataType::Boolean,
            Type::Real => DataType::Float64,
        }
    }
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub of: Type,
    /// What it holds.
    pub says: &'static str,
}

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Table {
    Runs,
    Events,
    Calls,
    Accesses,
    Writes,
    Locals,
    Lines,
    Objects,
    Exceptions,
    Threads,
    Classes,
    Members,
    Output,
}

const fn int(name: &'static str, says: &'static str) -> Column {
    let of = Type::Int;
    Column { name, of, says }
}

const fn text(name: &'static str, says: &'static str) -> Column {
    let of = Type::Text;
    Column { name, of, says }
}

const fn flag(name: &'static str, says: &'static str) -> Column {
    let of = Type::Bool;
    Column { name, of, says }
}

const fn real(name: &'static str, says: &'static str) -> Column {
    let of = Type::Real;
    Column { name, of, says }
}

const RUN: Column = text("run", "the run: first digits of the trace's SHA-256");
const MOMENT: Column = int("moment", "place among the events of all threads, from 1");
const STEP: Column = int("step", "instructions since that event");
const THREAD: Column = int("thread", "number of the thread");
const EVENT: Column = text(
    "event",
    "the moment as other commands take it, `THREAD:EVENT`",
);
const CALL: Column = int("call", "the call that does it: `calls.call`");
const VALUE: Column = text(
    "value",
    "the value, as in Java; of an object its number, `#42`",
);
const VALUE_OBJECT: Column = int("value_object", "number of the object that it is");
const LINE: Column = int("line", "source line");

const RUNS: &[Column] = &[
    RUN,
    text(
        "version",
        "version of the program, as `jinsi export` was told",
    ),
    text(
        "test",
        "the test that failed, or as `jinsi export` was told",
    ),
    text(
        "outcome",
        "`failed`, `passed`, or `killed` if the recording has no end",
    ),
    text("file", "the trace"),
    text(
        "failure",
        "class of the exception that was recorded as the failure",
    ),
    text("message", "its message"),
    text("place", "where it was thrown, `com.foo.Bar.m(Bar.java:12)`"),
    text("cause", "class of its root cause"),
    text("cause_place", "where that was thrown"),
    text(
        "minimal_test",
        "statements of the minimal test, if a report had one as `jinsi export` came",
    ),
    int("started_ms", "start, in milliseconds since the epoch"),
    real("seconds", "how long it ran"),
    text("java", "`java.version`"),
    text("detail", "`detail=` of the recording"),
    int("threads", "number of threads"),
    int("events", "number of events"),
];

const EVENTS: &[Column] = &[
    RUN,
    MOMENT,
    THREAD,
    int("index", "number in the thread, from 0"),
    EVENT,
    text(
        "kind",
        "`Enter`, `Exit`, `Call`, `GetField`, … as `jinsi events` has them",
    ),
    text("class", "class whose code it is"),
    text("method", "its method"),
    LINE,
    text("target", "class of the member that is called or accessed"),
    text("name", "name of the member"),
    int(
        "object",
        "the object that is called, accessed or defined, or whose content it is",
    ),
    VALUE,
    VALUE_OBJECT,
    text("text", "all of it, as `jinsi events` writes it"),
];

const CALLS: &[Column] = &[
    RUN,
    int("call", "the moment with which it began: its key"),
    int(
        "ended",
        "the moment with which it ended; NULL: the recording ended first",
    ),
    THREAD,
    EVENT,
    int("caller", "the recorded call around it"),
    int(
        "through",
        "the call of unrecorded code by which that came to it",
    ),
    int("depth", "recorded calls around it"),
    flag("recorded", "is the method's code recorded?"),
    text("class", "class whose method it is"),
    text("method", "name; `<init>` of constructors"),
    text("descriptor", "descriptor of the method"),
    text("file", "source file of the method"),
    int("line", "source line of the call, 0 if not known"),
    int("receiver", "the object whose method it is, or that is made"),
    text("receiver_class", "its class"),
    text(
        "arguments",
        "what it was given, as in Java, with commas between",
    ),
    text("ending", "`returned`, `threw` or `open`"),
    text("result", "what it returned; NULL if it is void"),
    int("result_object", "number of the object that it returned"),
    int("threw", "number of the exception that ended it"),
];

const ACCESSES: &[Column] = &[
    RUN,
    MOMENT,
    THREAD,
    EVENT,
    CALL,
    text("kind", "`read` or `write`"),
    text("class", "class that declares the field, or the array's"),
    text("field", "its name; NULL of an element"),
    flag("static", "is it a class's?"),
    int("object", "whose field or element it is"),
    int("element", "index of the element"),
    VALUE,
    VALUE_OBJECT,
    text("code", "method that does it, `com.foo.Bar.m`"),
    LINE,
];

const WRITES: &[Column] = &[
    RUN,
    MOMENT,
    STEP,
    THREAD,
    EVENT,
    CALL,
    text("class", "class that declares the field, or the array's"),
    text("field", "its name; NULL of an element"),
    flag("static", "is it a class's?"),
    int("object", "whose field or element it is"),
    int("element", "index of the element"),
    VALUE,
    VALUE_OBJECT,
    text(
        "code",
        "method that does it, `com.foo.Bar.m`; NULL: code that is not recorded",
    ),
    LINE,
];

const LOCALS: &[Column] = &[
    RUN,
    MOMENT,
    STEP,
    THREAD,
    EVENT,
    CALL,
    text("class", "class whose code it is"),
    text("method", "its method"),
    LINE,
    text("name", "name of the variable"),
    VALUE,
    VALUE_OBJECT,
];

const LINES: &[Column] = &[
    RUN,
    MOMENT,
    STEP,
    THREAD,
    EVENT,
    CALL,
    text("class", "class whose code it is"),
    text("method", "its method"),
    text("file", "source file"),
    LINE,
];

const OBJECTS: &[Column] = &[
    RUN,
    int("object", "its number"),
    text("class", "its class"),
    int("length", "length of an array"),
    int("moment", "when it got its number"),
    text("event", "the same as other commands take it"),
    flag("constructed", "has a recorded constructor made it?"),
];

const EXCEPTIONS: &[Column] = &[
    RUN,
    int("object", "number of the exception"),
    text("class", "its class"),
    text("message", "its message"),
    int("moment", "when recorded code saw it first"),
    THREAD,
    EVENT,
    int("call", "the call in which that was"),
    text("place", "where it was thrown, `com.foo.Bar.m(Bar.java:12)`"),
    int("caught", "when recorded code caught it"),
    text("caught_by", "the method that did"),
    int("caught_line", "line of the handler"),
    flag("uncaught", "did it end its thread?"),
];

const THREADS: &[Column] = &[
    RUN,
    THREAD,
    text("name", "its name"),
    int("events", "number of events"),
    int("began", "its first moment"),
    int("ended", "its last moment"),
    text(
        "status",
        "`died` of an exception, `exited`, or `running`: calls are open where the recording ends",
    ),
];

const CLASSES: &[Column] = &[
    RUN,
    text("class", "its name"),
    text("superclass", "that of its superclass"),
    text("file", "source file"),
    flag("observed", "are its calls recorded?"),
    text(
        "origin",
        "`observed`, `skeleton`, `jdk`, `skipped` or `inherited`",
    ),
];

const MEMBERS: &[Column] = &[
    RUN,
    text("class", "a class"),
    text(
        "declared",
        "the class that declares the member: itself, or one that it inherits from",
    ),
    text("kind", "`field` or `method`"),
    text("name", "name of the member"),
    text("descriptor", "descriptor of its type"),
    flag("static", "is it the class's?"),
    text("initial", "what a field holds before it is written"),
];

const OUTPUT: &[Column] = &[
    RUN,
    MOMENT,
    THREAD,
    EVENT,
    CALL,
    text("method", "`println`, `print`, …"),
    text("text", "what it was given, as in Java"),
];

impl Table {
    /// All tables.
    pub const ALL: [Table; 13] = [
        Table::Runs,
        Table::Events,
        Table::Calls,
        Table::Accesses,
        Table::Writes,
        Table::Locals,
        Table::Lines,
        Table::Objects,
        Table::Exceptions,
        Table::Threads,
        Table::Classes,
        Table::Members,
        Table::Output,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Table::Runs => "runs",
            Table::Events => "events",
            Table::Calls => "calls",
            Table::Accesses => "accesses",
            Table::Writes => "writes",
            Table::Locals => "locals",
            Table::Lines => "lines",
            Table::Objects => "objects",
            Table::Exceptions => "exceptions",
            Table::Threads => "threads",
            Table::Classes => "classes",
            Table::Members => "members",
            Table::Output => "output",
        }
    }

    /// What a row is.
    pub fn says(self) -> &'static str {
        match self {
            Table::Runs => "a recorded run",
            Table::Events => "an event, as `jinsi events` shows it",
            Table::Calls => "a call: of a recorded method, or of another by recorded code",
            Table::Accesses => "an access of a field or element that has an event of its own",
            Table::Writes => "a write of a field or element",
            Table::Locals => "a variable that has a value where a line was come to",
            Table::Lines => "that a line was come to",
            Table::Objects => "an object that has a number",
            Table::Exceptions => "that an exception was thrown",
            Table::Threads => "a thread",
            Table::Classes => "a class",
            Table::Members => "a member of a recorded class, inherited fields among them",
            Table::Output => "that something was printed",
        }
    }

    /// Its columns.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Table::Runs => RUNS,
            Table::Events => EVENTS,
            Table::Calls => CALLS,
            Table::Accesses => ACCESSES,
            Table::Writes => WRITES,
            Table::Locals => LOCALS,
            Table::Lines => LINES,
            Table::Objects => OBJECTS,
            Table::Exceptions => EXCEPTIONS,
            Table::Threads => THREADS,
            Table::Classes => CLASSES,
            Table::Members => MEMBERS,
            Table::Output => OUTPUT,
        }
    }

    /// Does it need a recording that tells each instruction?
    pub fn needs_instructions(self) -> bool {
        matches!(self, Table::Writes | Table::Locals | Table::Lines)
    }

    /// May a run lack the file of this table? Then its recording had not enough detail.
    pub(crate) fn may_lack(self, error: &std::io::Error) -> bool {
        error.kind() == std::io::ErrorKind::NotFound && self.needs_instructions()
    }

    /// The place of a column.
    pub(crate) fn column(self, name: &str) -> Option<usize> {
        self.columns().iter().position(|column| column.name == name)
    }

    /// As the engine has it.
    pub(crate) fn schema(self) -> SchemaRef {
        static SCHEMAS: LazyLock<Vec<SchemaRef>> = LazyLock::new(|| {
            Table::ALL
                .iter()
                .map(|table| made(table.columns()))
                .collect()
        });
        Arc::clone(&SCHEMAS[self as usize])
    }
}

fn made(columns: &[Column]) -> SchemaRef {
    let fields = columns
        .iter()
        .map(|c| Field::new(c.name, c.of.arrow(), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_in_the_order_of_their_numbers() {
        for (no, table) in Table::ALL.into_iter().enumerate() {
            assert_eq!(no, table as usize);
            assert_eq!(table.columns()[0].name, "run");
            let fields: Vec<&str> = table.columns().iter().map(|c| c.name).collect();
            assert_eq!(table.schema().fields().len(), fields.len());
        }
    }
}
