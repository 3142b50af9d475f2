//! Recorded values as expressions that a test can have again.

use jinsi_classfile::ClassFile;
use jinsi_trace::model::{CallOp, Content, Prim, Value};

use crate::delivery::Seen;
use crate::term::Term;
use jinsi_history::{Moment, NodeKind};
use jinsi_level::{NodeNo, Outcome, function};

/// Where the truth value came from that an assertion refused: the node that delivered, and the expression that the test made of it.
pub(super) enum Condition {
    /// A call gave it.
    Given(NodeNo, Option<Term>),
    /// The test compared what a call had given, which was this.
    Computed(NodeNo, Option<Term>, Value),
}

/// Values that are followed back, one within the other.
const DEPTH: usize = 12;
/// Elements of a container that are written out.
const ELEMENTS: usize = 64;

impl Seen<'_> {
    /// What delivered the value, and the expression that the test made of what was delivered; `None` in its place if that cannot be
    /// written again.
    pub(super) fn subject(&self, value: &Value, to: Moment) -> Option<(NodeNo, Option<Term>)> {
        self.subject_within(value, to, DEPTH)
    }

    /// The same of the condition that the call `asserting` looks at; whether the test had got it, or computed it from what it had got.
    /// `None` if more than one thing had a part in that.
    pub(super) fn condition(&self, value: &Value, asserting: NodeNo) -> Option<Condition> {
        let history = self.history;
        let (parent, begin) = (history.parent(asserting), history.node(asserting).begin);
        // A statement may go over several lines; its first is that of the outermost call.
        let line = |n: NodeNo| history.call_site(n).map_or(0, |s| s.line);
        let first = line(asserting);
        let all = self
            .returned(begin)
            .take_while(|(n, _)| parent.is_none_or(|p| *n > p))
            .filter(|(n, _)| history.parent(*n) == parent);
        let of_statement = all.take_while(|(n, _)| line(*n) >= first);
        let mut before: Vec<(NodeNo, Value)> = of_statement.collect();
        let message = self.message(value, asserting);
        if let Some((message, first)) = message {
            // What comes before a message that is given first is done for the message.
            before.retain(|(n, _)| if first { *n > message } else { *n != message });
            if before.is_empty() {
                return self.said(message);
            }
        }
        if let Some((n, _)) = before.iter().find(|(_, v)| unboxed(v) == unboxed(value)) {
            let (node, term) = self.subject_at(*n, DEPTH)?;
            return Some(Condition::Given(node, term));
        }
        let (latest, value) = before.first()?.clone();
        let mut parts = Vec::new();
        self.add_sources(latest, &mut parts, DEPTH);
        let alone = before
            .iter()
            .all(|(n, v)| parts.iter().any(|&p| p == *n || self.is_repeated(p, *n, v)));
        if !alone {
            return self.compared_with_input(&before);
        }
        let (node, term) = self.subject_at(latest, DEPTH)?;
        Some(Condition::Computed(node, term, value))
    }

    /// One value was delivered in the statement; all others of it were given to the call that delivered it, so that is what is in doubt:
    /// `assertTrue(step.after(info.number()) > info.number())`.
    fn compared_with_input(&self, before: &[(NodeNo, Value)]) -> Option<Condition> {
        let mut found: Option<(NodeNo, Option<Term>, Value)> = None;
        let mut others = Vec::new();
        // What is made on the way is no value that is compared.
        let asked = before
            .iter()
            .filter(|(n, _)| !self.history.is_constructor(*n));
        for (n, value) in asked {
            match (self.subject_at(*n, DEPTH), &found) {
                (None, _) => others.push(unboxed(value)),
                (Some((node, _)), Some((known, ..))) if node != *known => return None,
                (Some((node, term)), None) => found = Some((node, term, value.clone())),
                (Some(_), Some(_)) => {}
            }
        }
        let (node, term, value) = found?;
        let given: Vec<Value> = self.history.args(node).iter().map(unboxed).collect();
        let is_input = others.iter().all(|other| given.contains(other));
        (is_input && !given.is_empty()).then_some(Condition::Computed(node, term, value))
    }

    /// The text that was put together for the assertion to say, if one was, and whether it is given before the condition.
    fn message(&self, condition: &Value, asserting: NodeNo) -> Option<(NodeNo, bool)> {
        let begin = self.history.node(asserting).begin;
        let args = self.history.args(asserting);
        let place = args.iter().position(|arg| matches!(arg, Value::Str(_)))?;
        let first = args.iter().position(|arg| arg == condition)? > place;
        let text = &args[place];
        let (made, _) = self.returned(begin).find(|(_, v)| v == text)?;
        let site = self.history.site(made)?;
        (site.op == CallOp::Dynamic).then_some((made, first))
    }

    /// The condition is of variables alone. If the message says what a call gave, and nothing else was given since, it is of that.
    fn said(&self, message: NodeNo) -> Option<Condition> {
        let begin = self.history.node(message).begin;
        let (latest, value) = self.returned(begin).next()?;
        let is_sibling = self.history.parent(latest) == self.history.parent(message);
        let is_said = self.history.args(message).contains(&value);
        if !(is_sibling && is_said) {
            return None;
        }
        let (node, term) = self.subject_at(latest, DEPTH)?;
        Some(Condition::Computed(node, term, value))
    }

    /// The node and all whose values it worked with, as far as the test had them.
    fn add_sources(&self, n: NodeNo, parts: &mut Vec<NodeNo>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        parts.push(n);
        let begin = self.history.node(n).begin;
        let values = self
            .history
            .args(n)
            .iter()
            .chain([self.history.receiver(n)]);
        let values = values.filter(|v| matches!(v, Value::Object(_) | Value::Str(_)));
        for value in values {
            if self.may_look()
                && let Some((from, _)) = self.returned(begin).find(|(_, v)| v == value)
            {
                self.add_sources(from, parts, depth);
            }
        }
    }

    /// Is `n` the same question as `part`, with the same answer?
    fn is_repeated(&self, part: NodeNo, n: NodeNo, answer: &Value) -> bool {
        let h = self.history;
        let same_answer = matches!(h.outcome(part), Outcome::Return(Some(v)) if v == *answer);
        same_answer
            && h.member(part) == h.member(n)
            && h.receiver(part) == h.receiver(n)
            && h.args(part) == h.args(n)
    }

    fn subject_within(
        &self,
        value: &Value,
        to: Moment,
        depth: usize,
    ) -> Option<(NodeNo, Option<Term>)> {
        if !self.may_look() {
            return None;
        }
        if let Some((node, _)) = self.delivered_exception(value, to) {
            return Some((node, Some(Term::Delivered)));
        }
        let same = |other: &Value| unboxed(other) == unboxed(value);
        let (n, _) = self
            .returned(to)
            .find(|(n, v)| same(v) && !self.history.is_constructor(*n))?;
        self.subject_at(n, depth)
    }

    /// The same of what the node `n` gave.
    pub(super) fn subject_of(&self, n: NodeNo) -> Option<(NodeNo, Option<Term>)> {
        self.subject_at(n, DEPTH)
    }

    fn subject_at(&self, n: NodeNo, depth: usize) -> Option<(NodeNo, Option<Term>)> {
        let depth = depth.checked_sub(1)?;
        if self.is_delivery(n) {
            return Some((n, Some(Term::Delivered)));
        }
        let begin = self.history.node(n).begin;
        let receiver = self.history.receiver(n).clone();
        let of_receiver = match receiver {
            Value::Object(_) | Value::Str(_) => self.subject_within(&receiver, begin, depth),
            _ => None,
        };
        if let Some((node, term)) = of_receiver {
            let call = term.and_then(|t| self.call(n, Some(t), None, &Term::Delivered));
            return Some((node, call));
        }
        if self.is_look(n) {
            return Some((n, Some(Term::Delivered)));
        }
        let args = self.history.args(n).iter().enumerate();
        args.filter(|(_, arg)| matches!(arg, Value::Object(_) | Value::Str(_)))
            .find_map(|(index, arg)| {
                let (node, term) = self.subject_within(arg, begin, depth)?;
                let call = term.and_then(|t| self.call(n, None, Some(index), &t));
                Some((node, call))
            })
    }

    /// The value as an expression, as it was at this moment.
    pub(super) fn term(&self, value: &Value, at: Moment) -> Option<Term> {
        self.term_within(value, at, DEPTH)
    }

    fn term_within(&self, value: &Value, at: Moment, depth: usize) -> Option<Term> {
        let depth = depth.checked_sub(1)?;
        let Value::Object(id) = value else {
            return Some(Term::Literal(value.clone()));
        };
        let class = self.history.class_of(*id)?.to_owned();
        let terms = |values: &[Value]| -> Option<Vec<Term>> {
            let few = values.len() <= ELEMENTS;
            few.then(|| {
                values
                    .iter()
                    .map(|v| self.term_within(v, at, depth))
                    .collect()
            })?
        };
        if let Some(Content::Array(values)) = self.history.array_at(*id, at) {
            let items = terms(&values)?;
            return Some(Term::Array { class, items });
        }
        match crate::text::content(self.history, *id, at) {
            Some(Content::Elements(values)) => {
                let items = terms(values)?;
                Some(Term::Elements { class, items })
            }
            Some(Content::Entries(values)) => {
                let items = terms(values)?;
                Some(Term::Entries { class, items })
            }
            _ => match self.history.value_text(*id) {
                Some(text) => Some(Term::Text { class, text }),
                // Another one that is made alike is not equal to it.
                None if self.is_equal_to_itself_alone(&class) => self.given(value, at),
                None => self.made(value, at),
            },
        }
    }

    /// The value where it is asked whether another one is the same: the object that the code under test was given, or one that there is only once.
    pub(super) fn itself(&self, value: &Value, at: Moment) -> Option<Term> {
        if let Some(given) = self.given(value, at) {
            return Some(given);
        }
        let is_single = |term: &Term| match term {
            // A constant of an enum. What the JDK makes of a text is another object each time.
            Term::Text { class, .. } => !class.starts_with("java/"),
            term => matches!(term, Term::Static { .. } | Term::Literal(_)),
        };
        self.term(value, at).filter(is_single)
    }

    /// The object, if the code under test was given it, or something that held it.
    fn given(&self, value: &Value, at: Moment) -> Option<Term> {
        let is_given = matches!(value, Value::Object(_))
            && self.history.numbers().any(|n| {
                let begin = self.history.node(n).begin;
                begin < at && self.is_delivery(n) && {
                    let mut args = self.history.args(n).iter();
                    args.any(|arg| arg == value || self.holds(arg, value, begin))
                }
            });
        is_given.then(|| Term::Literal(value.clone()))
    }

    /// Is the value an element of this array or collection?
    fn holds(&self, container: &Value, value: &Value, at: Moment) -> bool {
        let Value::Object(id) = *container else {
            return false;
        };
        match self.history.array_at(id, at) {
            Some(content) => content.values().contains(value),
            None => crate::text::content(self.history, id, at)
                .is_some_and(|content| content.values().contains(value)),
        }
    }

    /// Does a recorded class leave `equals` as `Object` has it?
    fn is_equal_to_itself_alone(&self, class: &str) -> bool {
        let tables = self.history.tables();
        tables.superclasses(class).all(|class| {
            let file = tables
                .class_by_name(class)
                .map(|def| ClassFile::parse(&def.bytes));
            match file {
                Some(Ok(file)) => file
                    .find_method("equals", "(Ljava/lang/Object;)Z")
                    .is_none(),
                _ => class == "java/lang/Object",
            }
        })
    }

    /// The object as the test got it: by a static call of code that was not recorded, by a call on such an object, by a constructor, or out
    /// of a static field.
    fn made(&self, value: &Value, at: Moment) -> Option<Term> {
        if !self.may_look() {
            return None;
        }
        let (n, _) = self.returned(at).find(|(_, v)| v == value)?;
        let made = self.history.is_constructor(n);
        if self
            .history
            .site(n)
            .is_some_and(|s| s.op == CallOp::Dynamic)
        {
            return self.function(n);
        }
        match self.history.node(n).kind {
            NodeKind::GetStatic => Some(Term::Static {
                field: self.history.member(n)?,
            }),
            NodeKind::Call | NodeKind::Activation if made && self.is_touched(value, n, at) => None,
            NodeKind::Call => self.call(n, None, None, &Term::Delivered),
            NodeKind::Activation if made => self.call(n, None, None, &Term::Delivered),
            _ => None,
        }
    }

    /// The function object that the call `n` made, if what it has captured can be written wherever it is.
    fn function(&self, n: NodeNo) -> Option<Term> {
        let captured = self.history.args(n);
        let is_plain = |value: &Value| !matches!(value, Value::Object(_));
        let function = function::of_node(self.history, n)?;
        captured.iter().all(is_plain).then(|| Term::Function {
            function: Box::new(function),
            captured: captured.to_vec(),
        })
    }

    /// Did the test do anything with the object since `made`, so that it may be another one by now?
    fn is_touched(&self, object: &Value, made: NodeNo, at: Moment) -> bool {
        let close = self.history.node(made).close;
        let calls = self.history.numbers().filter(|&n| {
            let node = self.history.node(n);
            node.begin > close && node.begin < at && self.history.receiver(n) == object
        });
        let member = |n| self.history.member(n);
        calls
            .filter_map(member)
            .any(|m| !["equals", "hashCode", "toString"].contains(&m.name.as_str()))
    }
}

/// A box for what it holds, and a whole number for the widest of its kind: a test may have widened or boxed it on the way.
fn unboxed(value: &Value) -> Value {
    let prim = match value {
        Value::Prim(prim) | Value::Boxed(prim) => *prim,
        other => return other.clone(),
    };
    Value::Prim(match prim {
        Prim::Byte(v) => Prim::Long(v.into()),
        Prim::Short(v) => Prim::Long(v.into()),
        Prim::Int(v) => Prim::Long(v.into()),
        Prim::Float(v) => Prim::Double(v.into()),
        other => other,
    })
}
