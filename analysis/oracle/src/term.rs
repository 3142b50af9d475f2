//! What a test asserted, as Java.

use jinsi_level::NodeNo;
use jinsi_level::function::Function;
use jinsi_trace::model::{MemberRef, Value};

/// A Java expression of the test, as far as it takes part in the assertion.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// The value that the code under test had delivered.
    Delivered,
    /// What another call of the test's had delivered.
    Result(NodeNo),
    /// A literal: a primitive, a box, a text, a class, `null`.
    Literal(Value),
    /// An array.
    Array {
        /// Its descriptor.
        class: String,
        /// Its elements.
        items: Vec<Term>,
    },
    /// A collection of the JDK.
    Elements {
        /// Internal name of its class.
        class: String,
        /// Its elements.
        items: Vec<Term>,
    },
    /// A map of the JDK.
    Entries {
        /// Internal name of its class.
        class: String,
        /// Keys and values by turns.
        items: Vec<Term>,
    },
    /// A constant of an enum, or another value that is made from a text.
    Text {
        /// Internal name of its class.
        class: String,
        /// Its text.
        text: String,
    },
    /// An element of an array.
    Element {
        /// The array.
        array: Box<Term>,
        /// Its index.
        index: i32,
    },
    /// A static field.
    Static {
        /// The field.
        field: MemberRef,
    },
    /// A lambda or method reference.
    Function {
        /// What it is made of.
        function: Box<Function>,
        /// What it has captured: no objects.
        captured: Vec<Value>,
    },
    /// A call.
    Call {
        /// The method.
        member: MemberRef,
        /// What it is called on; `None` of a static one, and of a constructor.
        receiver: Option<Box<Term>>,
        /// The arguments.
        args: Vec<Term>,
    },
}

/// An exception that a test demands.
#[derive(Clone, Debug, PartialEq)]
pub struct WantedException {
    /// Internal name of its class.
    pub class: String,
    /// What else is demanded of the exception, which is [`Term::Delivered`] there.
    pub further: Vec<Demand>,
    /// Where the first call began that may throw it, if several may: any of them, and those between it and the last one.
    pub since: Option<NodeNo>,
}

impl WantedException {
    /// One of which nothing but the class is demanded.
    pub fn of(class: String) -> Self {
        Self {
            class,
            further: Vec::new(),
            since: None,
        }
    }
}

/// What a test demanded of a value, and did not get.
#[derive(Clone, Debug, PartialEq)]
pub enum Demand {
    /// Two values are equal.
    Equal {
        /// The value in doubt.
        actual: Term,
        /// What it should be.
        expected: Term,
    },
    /// A condition holds, or does not.
    Holds {
        /// The condition.
        actual: Term,
        /// What it should be.
        wanted: bool,
    },
    /// A value is `null`, or is not.
    Null {
        /// The value in doubt.
        actual: Term,
        /// Should it be?
        wanted: bool,
    },
    /// A value is of a class.
    InstanceOf {
        /// The value in doubt.
        actual: Term,
        /// Internal name of the class.
        wanted: String,
    },
    /// A value is another one than this, which is all that is known of it.
    Differs {
        /// The value in doubt.
        actual: Term,
        /// What it was.
        from: Value,
    },
    /// What a framework's own call demands.
    Stated(Term),
    /// The call that delivered throws an exception.
    Throws(WantedException),
}
