//! What a test asserted, as Java.

use std::collections::BTreeSet;

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

impl Term {
    /// The same with the result of `node` in the place of what was delivered.
    pub(crate) fn with_result(self, node: NodeNo) -> Self {
        let one = |term: Box<Self>| Box::new(term.with_result(node));
        let all = |terms: Vec<Self>| terms.into_iter().map(|t| t.with_result(node)).collect();
        match self {
            Self::Delivered => Self::Result(node),
            Self::Array { class, items } => Self::Array {
                class,
                items: all(items),
            },
            Self::Elements { class, items } => Self::Elements {
                class,
                items: all(items),
            },
            Self::Entries { class, items } => Self::Entries {
                class,
                items: all(items),
            },
            Self::Element { array, index } => Self::Element {
                array: one(array),
                index,
            },
            Self::Call {
                member,
                receiver,
                args,
            } => Self::Call {
                member,
                receiver: receiver.map(one),
                args: all(args),
            },
            Self::Result(_)
            | Self::Literal(_)
            | Self::Text { .. }
            | Self::Static { .. }
            | Self::Function { .. } => self,
        }
    }

    /// Adds the activations whose results are in it.
    pub fn add_results(&self, nodes: &mut BTreeSet<NodeNo>) {
        match self {
            Self::Result(node) => drop(nodes.insert(*node)),
            Self::Array { items, .. }
            | Self::Elements { items, .. }
            | Self::Entries { items, .. } => {
                items.iter().for_each(|item| item.add_results(nodes));
            }
            Self::Element { array, .. } => array.add_results(nodes),
            Self::Call { receiver, args, .. } => {
                let terms = receiver.iter().map(|r| &**r).chain(args);
                terms.for_each(|term| term.add_results(nodes));
            }
            Self::Delivered
            | Self::Literal(_)
            | Self::Text { .. }
            | Self::Static { .. }
            | Self::Function { .. } => {}
        }
    }
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

#[cfg(test)]
mod tests {
    use jinsi_trace::model::Prim;

    use super::*;

    #[test]
    fn what_another_call_delivered_takes_the_place_of_what_this_one_did() {
        let get = |receiver: Term| Term::Call {
            member: MemberRef {
                owner: "java/util/List".into(),
                name: "get".into(),
                desc: "(I)Ljava/lang/Object;".into(),
            },
            receiver: Some(Box::new(receiver)),
            args: vec![Term::Literal(Value::Prim(Prim::Int(0)))],
        };
        let node = NodeNo::from_index(7);
        let element = |array: Term| Term::Element {
            array: Box::new(array),
            index: 1,
        };
        let of = |term: Term| Term::Array {
            class: "[Ljava/lang/Object;".into(),
            items: vec![get(element(term)), Term::Literal(Value::Null)],
        };
        let term = of(Term::Delivered).with_result(node);
        assert_eq!(term, of(Term::Result(node)));
        let mut nodes = BTreeSet::new();
        term.add_results(&mut nodes);
        assert_eq!(nodes, [node].into());
        nodes.clear();
        of(Term::Delivered).add_results(&mut nodes);
        assert!(nodes.is_empty());
    }
}
