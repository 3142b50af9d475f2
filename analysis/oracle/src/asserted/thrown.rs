//! Exceptions that a test expected: by a framework's call, by an annotation, by a rule, by a `try` that goes on with `fail()`.

use jinsi_classfile::ClassFile;
use jinsi_trace::model::{JavaString, MemberRef, ObjectId, Value};

use super::declared;
use super::dialect::{Check, Dialect};
use super::spock;
use crate::delivery::Seen;
use crate::term::{Demand, Term, WantedException};
use jinsi_history::{History, Moment, NodeKind};
use jinsi_level::{NodeNo, Outcome};

const THROWABLE: &str = "java/lang/Throwable";
/// JUnit 4's rule.
const RULE: &str = "org/junit/rules/ExpectedException";

/// What became of an exception that a test expected, or did not expect.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Exceptional {
    /// This one was thrown, and the test wanted another one, or none.
    Thrown {
        /// The exception.
        throwable: ObjectId,
        /// What was wanted; `None` if none was.
        wanted: Option<Instead>,
    },
    /// None was thrown.
    Missing {
        /// The last call in which it could have been.
        node: NodeNo,
        /// What was wanted.
        wanted: WantedException,
    },
}

/// The exception that a test expected where another one was thrown, or one of which something is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Instead {
    /// What was expected.
    pub exception: WantedException,
    /// Internal name of the class whose code expected it.
    pub by: String,
}

/// A stretch of the run in which an exception is to come, or not.
pub(super) struct Stretch {
    pub(super) from: Moment,
    pub(super) to: Moment,
    /// The code in it ran to see what it throws: if nothing, that is the failure.
    pub(super) runs_code: bool,
}

/// Names of the assertions that something should have been thrown before.
const FAILS: [&str; 3] = [
    "fail",
    "failBecauseExceptionWasNotThrown",
    "shouldHaveThrown",
];

impl Seen<'_> {
    /// What became of the exception that the failed assertion is about, if it is about one that code under test throws.
    pub(crate) fn exceptional(&self) -> Option<Exceptional> {
        let call = *self.failed().first()?;
        let name = self.member(call)?.name;
        if FAILS.contains(&name.as_str()) {
            return self.behind_try(call);
        }
        let taking = *self.chain(call).first()?;
        let watching = self.is_watching(taking);
        let stretch = Stretch {
            from: self.history.node(taking).begin,
            to: self.history.node(call).close,
            runs_code: watching,
        };
        if ["assertDoesNotThrow", "doesNotThrowAnyException"].contains(&name.as_str()) {
            let throwable = self.thrown_within(&stretch)?;
            return Some(Exceptional::Thrown {
                throwable,
                wanted: None,
            });
        }
        if watching {
            let wanted = self.wanted_by(call, taking)?;
            return self.of_stretch(&stretch, wanted, call);
        }
        let class = demanded(self.history, call)?.exception;
        // An exception, or the lack of one, that the test had kept.
        let kept = self.history.args(taking).first()?;
        if let Some((_, throwable)) = self.delivered_exception(kept, stretch.to) {
            return Some(self.thrown(throwable, class, call));
        }
        let caught = self
            .of_frameworks()
            .rfind(|&n| self.history.node(n).close < stretch.from && self.is_watching(n));
        let caught = caught.filter(|&n| {
            *kept == Value::Null && self.history.outcome(n) == Outcome::Return(Some(Value::Null))
        })?;
        let stretch = Stretch {
            from: self.history.node(caught).begin,
            to: self.history.node(caught).close,
            runs_code: true,
        };
        self.of_stretch(&stretch, class, call)
    }

    /// The same of a test whose engine says that its exception did not come, or was another one: it was expected by its annotation, or by a rule.
    pub(crate) fn declared(&self) -> Option<Exceptional> {
        self.by_annotation().or_else(|| self.by_rule())
    }

    /// The node by which code under test threw this exception to the test, and the exception's identity.
    pub(super) fn delivered_exception(
        &self,
        value: &Value,
        to: Moment,
    ) -> Option<(NodeNo, ObjectId)> {
        let Value::Object(id) = value else {
            return None;
        };
        self.history.tables().throwable(*id)?;
        let threw = |&n: &NodeNo| {
            self.history.node(n).kind == NodeKind::Activation
                && self.history.threw(n, *id)
                && self.history.node(n).close <= to
                && self.is_handed(n)
        };
        let node = self.history.numbers().rev().find(threw)?;
        Some((node, *id))
    }

    /// Internal name of the class that the test demands of this exception, which it has got from a framework's call or caught.
    pub(crate) fn class_demanded(&self, throwable: ObjectId) -> Option<String> {
        let got = Outcome::Return(Some(Value::Object(throwable)));
        let call = self
            .of_frameworks()
            .rfind(|&n| self.history.outcome(n) == got && self.is_watching(n));
        match call {
            Some(n) => Some(
                demanded(self.history, n)
                    .map_or_else(|| THROWABLE.to_owned(), |wanted| wanted.exception.class),
            ),
            None => self.class_of_thrown(throwable),
        }
    }

    fn is_watching(&self, n: NodeNo) -> bool {
        self.member(n).is_some_and(|m| watches(&m.name))
    }

    /// The exception `throwable` with what was wanted in its place, by the code that made the call.
    pub(super) fn thrown(
        &self,
        throwable: ObjectId,
        wanted: WantedException,
        call: NodeNo,
    ) -> Exceptional {
        let by = self.history.source_class(call).to_owned();
        Exceptional::Thrown {
            throwable,
            wanted: Some(Instead {
                exception: wanted,
                by,
            }),
        }
    }

    fn of_stretch(
        &self,
        stretch: &Stretch,
        wanted: WantedException,
        call: NodeNo,
    ) -> Option<Exceptional> {
        if let Some(throwable) = self.thrown_within(stretch) {
            return Some(self.thrown(throwable, wanted, call));
        }
        match stretch.runs_code {
            true => self.missing(self.handed_within(stretch), wanted),
            false => None,
        }
    }

    /// What code under test threw to the test last.
    fn thrown_within(&self, stretch: &Stretch) -> Option<ObjectId> {
        let ended = self.handed_within(stretch);
        ended
            .filter_map(|n| match self.history.outcome(n) {
                Outcome::Throw(id) if id != self.throwable => Some(id),
                _ => None,
            })
            .last()
    }

    /// That none of these calls threw: what is said is that the last one ends so, with those before it.
    pub(super) fn missing(
        &self,
        calls: impl Iterator<Item = NodeNo>,
        wanted: WantedException,
    ) -> Option<Exceptional> {
        let returned = |&n: &NodeNo| matches!(self.history.outcome(n), Outcome::Return(_));
        let calls: Vec<NodeNo> = calls.filter(returned).collect();
        let node = *calls.iter().max_by_key(|&&n| self.history.node(n).close)?;
        // Whoever makes an object of nothing does not complain.
        let may_throw = |&&n: &&NodeNo| {
            n != node && !(self.history.is_constructor(n) && self.history.args(n).is_empty())
        };
        let since = calls.iter().find(may_throw).copied();
        let wanted = WantedException { since, ..wanted };
        Some(Exceptional::Missing { node, wanted })
    }

    pub(super) fn handed_within(&self, stretch: &Stretch) -> impl Iterator<Item = NodeNo> {
        let (from, to) = (stretch.from, stretch.to);
        self.history.numbers().filter(move |&n| {
            let node = self.history.node(n);
            node.kind == NodeKind::Activation
                && node.begin > from
                && node.close < to
                && self.is_handed(n)
        })
    }

    /// Does it cross from code under test to the test?
    fn is_handed(&self, n: NodeNo) -> bool {
        self.is_delivery(n) && self.is_by_test(n)
    }

    fn class_of_thrown(&self, throwable: ObjectId) -> Option<String> {
        let def = self.history.tables().throwable(throwable)?;
        Some(def.class.replace('.', "/"))
    }

    /// What the call demands of the exception of the code that `taking` ran.
    fn wanted_by(&self, call: NodeNo, taking: NodeNo) -> Option<WantedException> {
        let chain = self.chain(call);
        let by_call = |n: &NodeNo| demanded(self.history, *n).map(|wanted| wanted.exception.class);
        let named = chain.iter().rev().find_map(by_call);
        let class = named
            .or_else(|| self.named_by(taking))
            .or_else(|| self.asked_behind(call))
            .unwrap_or_else(|| THROWABLE.to_owned());
        let name = self.member(call)?.name;
        let only_class = call == taking || name == "isThrownBy" || by_call(&call).is_some();
        let further = match only_class {
            true => Vec::new(),
            false => vec![self.of_exception(call, &name)?],
        };
        Some(WantedException {
            further,
            ..WantedException::of(class)
        })
    }

    /// The class that AssertJ's first call names: `assertThatExceptionOfType(E.class)`, `assertThatIllegalStateException()`.
    fn named_by(&self, taking: NodeNo) -> Option<String> {
        if let Some(Value::Class(no)) = self.history.args(taking).first() {
            return Some(self.history.tables().class_name(*no).to_owned());
        }
        let name = self.member(taking)?.name;
        let simple = name.strip_prefix("assertThat")?;
        let package = match simple {
            "IOException" => "java/io",
            _ if simple.ends_with("Exception") => "java/lang",
            _ => return None,
        };
        Some(format!("{package}/{simple}"))
    }

    /// The class that the test would have asked for next, had its `call` not failed.
    fn asked_behind(&self, call: NodeNo) -> Option<String> {
        let site = self.history.call_site(call)?;
        let file = self.class_file(self.history.tables().class_name(site.class))?;
        declared::asked_behind(&file, (&site.method, &site.desc), site.bci)
    }

    /// What AssertJ's call demands of an exception, as Java.
    fn of_exception(&self, call: NodeNo, name: &str) -> Option<Demand> {
        let about = name
            .strip_prefix("has")
            .or_else(|| name.strip_prefix("with"))?;
        let args = self.history.args(call);
        if let [Value::Class(no)] = args {
            let is = ["CauseInstanceOf", "CauseExactlyInstanceOf"].contains(&about);
            return is.then(|| Demand::InstanceOf {
                actual: of_throwable("getCause", "()Ljava/lang/Throwable;"),
                wanted: self.history.tables().class_name(*no).to_owned(),
            });
        }
        match (about, args) {
            ("NoCause", []) => Some(Demand::Null {
                actual: of_throwable("getCause", "()Ljava/lang/Throwable;"),
                wanted: true,
            }),
            ("Message", [text @ Value::Str(_)]) => Some(Demand::Equal {
                actual: message(),
                expected: Term::Literal(text.clone()),
            }),
            ("MessageContaining", [Value::Str(text)]) => Some(of_message("contains", text)),
            ("MessageStartingWith", [Value::Str(text)]) => Some(of_message("startsWith", text)),
            ("MessageEndingWith", [Value::Str(text)]) => Some(of_message("endsWith", text)),
            ("MessageMatching", [Value::Str(text)]) => Some(of_message("matches", text)),
            _ => None,
        }
    }

    /// `try { …; fail(); } catch (E e) { }`: nothing was thrown.
    fn behind_try(&self, call: NodeNo) -> Option<Exceptional> {
        let site = self.history.call_site(call)?;
        let named = match self.history.args(call).first() {
            Some(Value::Class(no)) => Some(self.history.tables().class_name(*no).to_owned()),
            _ => None,
        };
        let class = self.history.tables().class_name(site.class);
        let file = self.class_file(class)?;
        let (range, caught) = declared::caught_at(&file, (&site.method, &site.desc), site.bci)?;
        let begin = self.history.node(call).begin;
        // In a loop the last time counts.
        let before = |&n: &NodeNo| {
            let from = self.history.call_site(n);
            let in_try = from.is_some_and(|from| {
                let same = from.class == site.class && from.method == site.method;
                same && from.desc == site.desc && range.contains(&from.bci)
            });
            in_try && self.history.node(n).close <= begin
        };
        let stretch = Stretch {
            from: self.from,
            to: begin,
            runs_code: true,
        };
        let tried = self.handed_within(&stretch).filter(before);
        self.missing(tried, WantedException::of(named.unwrap_or(caught)))
    }

    /// `@Test(expected = E.class)`, `@Test(expectedExceptions = E.class)`.
    fn by_annotation(&self) -> Option<Exceptional> {
        let of_test = |&n: &NodeNo| {
            let node = self.history.node(n);
            node.kind == NodeKind::Activation
                && node.begin >= self.from
                && node.begin <= self.to
                && self.callers.contains(self.history.entity_class(n))
                && !self.is_inside_activation(n)
        };
        let (test, class) = self.history.numbers().rev().filter(of_test).find_map(|n| {
            let class = by_annotation(self.history, n)?;
            Some((n, class))
        })?;
        let node = self.history.node(test);
        let wanted = WantedException::of(class);
        match self.history.outcome(test) {
            Outcome::Throw(throwable) => {
                let by = self.history.entity_class(test).to_owned();
                Some(Exceptional::Thrown {
                    throwable,
                    wanted: Some(Instead {
                        exception: wanted,
                        by,
                    }),
                })
            }
            _ => {
                let stretch = Stretch {
                    from: node.begin,
                    to: node.close,
                    runs_code: true,
                };
                self.missing(self.handed_within(&stretch), wanted)
            }
        }
    }

    fn is_inside_activation(&self, n: NodeNo) -> bool {
        std::iter::successors(self.history.parent(n), |&n| self.history.parent(n))
            .any(|n| self.history.node(n).kind == NodeKind::Activation)
    }

    /// `thrown.expect(E.class)`, `thrown.expectMessage("…")`.
    fn by_rule(&self) -> Option<Exceptional> {
        let said: Vec<(NodeNo, MemberRef)> = (self.history.numbers())
            .filter(|&n| {
                let node = self.history.node(n);
                let within = node.begin >= self.from && node.begin <= self.to;
                node.kind == NodeKind::Call && within && self.is_by_test(n)
            })
            .filter_map(|n| Some((n, self.history.member(n)?)))
            .filter(|(_, member)| member.owner == RULE && member.name.starts_with("expect"))
            .collect();
        let (last, _) = said.last()?;
        let mut wanted = WantedException::of(THROWABLE.to_owned());
        // What a matcher demands is not known.
        let mut is_known = true;
        for (n, member) in &said {
            match (member.name.as_str(), self.history.args(*n)) {
                ("expect", [Value::Class(no)]) => {
                    wanted.class = self.history.tables().class_name(*no).to_owned();
                }
                ("expectMessage", [Value::Str(text)]) => {
                    wanted.further.push(of_message("contains", text));
                }
                _ => is_known = false,
            }
        }
        let stretch = Stretch {
            from: self.history.node(*last).close,
            to: self.to,
            runs_code: true,
        };
        if let Some(throwable) = self.thrown_within(&stretch) {
            let own = self.class_of_thrown(throwable)?;
            let is_right = self.history.tables().is_subclass(&own, &wanted.class);
            if !is_known && (is_right || wanted.class == THROWABLE) {
                return None;
            }
            return Some(self.thrown(throwable, wanted, *last));
        }
        self.missing(self.handed_within(&stretch), wanted)
    }

    pub(super) fn class_file(&self, class: &str) -> Option<ClassFile> {
        class_file(self.history, class)
    }
}

fn class_file(history: &History, class: &str) -> Option<ClassFile> {
    let class = history.tables().class_by_name(class)?;
    ClassFile::parse(&class.bytes).ok()
}

/// Internal name of the class of the exception that the annotation of this activation's method expects.
fn by_annotation(history: &History, n: NodeNo) -> Option<String> {
    let member = history.member(n)?;
    let file = class_file(history, &member.owner)?;
    declared::expected(&file, (&member.name, &member.desc))
}

/// Does the framework's method run code to see what it throws?
fn watches(name: &str) -> bool {
    let name = name.strip_suffix("$default").unwrap_or(name);
    let begins = ["assertThatExceptionOf", "catch"];
    begins.iter().any(|p| name.starts_with(p))
        || name.starts_with("assertThat") && name.ends_with("Exception")
        || [
            "assertDoesNotThrow",
            "assertFailsWith",
            "assertThatCode",
            "assertThatThrownBy",
            "assertThrows",
            "assertThrowsExactly",
            "expectThrows",
            "thenThrownBy",
            "thenCode",
        ]
        .contains(&name)
}

fn of_throwable(name: &str, desc: &str) -> Term {
    Term::Call {
        member: MemberRef {
            owner: THROWABLE.into(),
            name: name.into(),
            desc: desc.into(),
        },
        receiver: Some(Box::new(Term::Delivered)),
        args: Vec::new(),
    }
}

pub(super) fn message() -> Term {
    of_throwable("getMessage", "()Ljava/lang/String;")
}

/// The message contains, begins with, … the text.
fn of_message(method: &str, text: &JavaString) -> Demand {
    let taken = match method {
        "contains" => "Ljava/lang/CharSequence;",
        _ => "Ljava/lang/String;",
    };
    Demand::Holds {
        actual: Term::Call {
            member: MemberRef {
                owner: "java/lang/String".into(),
                name: method.into(),
                desc: format!("({taken})Z").into(),
            },
            receiver: Some(Box::new(message())),
            args: vec![Term::Literal(Value::Str(text.clone()))],
        },
        wanted: true,
    }
}

/// The exception that the framework's call `n` demands, if it demands one.
pub(super) fn demanded(history: &History, n: NodeNo) -> Option<Instead> {
    let member = history.member(n)?;
    match Dialect::of(&member)?.check(&member)? {
        Check::Throws { class } => match history.args(n).get(class)? {
            Value::Class(no) => Some(Instead {
                exception: WantedException::of(history.tables().class_name(*no).to_owned()),
                by: history.source_class(n).to_owned(),
            }),
            _ => None,
        },
        _ => None,
    }
}

/// The exception that a test expected when the activation `outermost` ended by `throwable`.
pub(crate) fn expected_instead(
    history: &History,
    outermost: NodeNo,
    throwable: ObjectId,
) -> Option<Instead> {
    let around = std::iter::successors(history.parent(outermost), |&n| history.parent(n))
        .filter(|&n| history.node(n).kind == NodeKind::Call)
        .filter(|&n| matches!(history.outcome(n), Outcome::Throw(_)))
        .find_map(|n| demanded(history, n));
    around
        .or_else(|| spock::expected_instead(history, throwable))
        .or_else(|| {
            let class = by_annotation(history, outermost);
            let class = class.or_else(|| by_try(history, outermost, throwable))?;
            Some(Instead {
                exception: WantedException::of(class),
                by: history.entity_class(outermost).to_owned(),
            })
        })
}

/// Internal name of the class that a test catches around what threw `throwable`, where it says behind that that it should have been thrown:
/// `try { …; fail(); } catch (E expected) { … }`.
fn by_try(history: &History, test: NodeNo, throwable: ObjectId) -> Option<String> {
    let of_test = |&n: &NodeNo| history.parent(n) == Some(test);
    let threw = history
        .below(test)
        .rev()
        .filter(of_test)
        .find(|&n| history.threw(n, throwable))?;
    let site = history.call_site(threw)?;
    let file = class_file(history, history.tables().class_name(site.class))?;
    let method = (&*site.method, &*site.desc);
    let (range, caught) = declared::caught_at(&file, method, site.bci)?;
    declared::calls_within(&file, method, &range, &FAILS).then_some(caught)
}

#[cfg(test)]
mod tests;
