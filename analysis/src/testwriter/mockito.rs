//! Stand-ins for the environment made by Mockito: possible if all it was asked were methods of objects that came from it.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_trace::model::{MemberRef, ObjectId, Value};

use super::Inexpressible;
use super::access::{desc_of, params, result};
use super::plan::object;
use super::writer::{Expr, Writer};
use crate::level::{ObjectInfo, Operation, Outcome, Outgoing, Role};

const MOCKITO: &str = "org.mockito.Mockito";
const MATCHERS: &str = "org.mockito.ArgumentMatchers";

/// Methods that Mockito does not stub.
const UNSTUBBABLE: [&str; 4] = ["equals", "hashCode", "getClass", "finalize"];

/// The answers to one method of one stand-in, for the same arguments.
struct Stub<'a> {
    call: String,
    void: bool,
    answers: Vec<&'a Outgoing>,
}

impl<'a> Writer<'a> {
    /// Declares all stand-ins and what they answer.
    pub(super) fn stubs(&mut self) -> Result<(), Inexpressible> {
        let answers = self.request.answers;
        for answer in answers {
            self.stubbable(answer)?;
        }
        let mocks = self.mocks();
        if mocks.is_empty() {
            return Err(Inexpressible("there is nothing to stand in for".into()));
        }
        for &id in &mocks {
            self.mock(id)?;
        }
        for stub in self.group()? {
            let text = self.stub(&stub)?;
            self.code(text);
        }
        self.lines.push(super::layout::Line::Blank);
        Ok(())
    }

    fn stubbable(&self, answer: &Outgoing) -> Result<(), Inexpressible> {
        let name = format!(
            "{}.{}",
            answer.member.owner.replace('/', "."),
            answer.member.name
        );
        let why = if answer.op != Operation::Call {
            "is no method of an object"
        } else if object(&answer.receiver)
            .and_then(|id| self.role(id))
            .is_none_or(|r| !matches!(r, Role::Mock | Role::Hidden))
        {
            "is called on an object that is made for real"
        } else if !answer.effects.is_empty() || !answer.callbacks.is_empty() {
            "has effects besides its result"
        } else if UNSTUBBABLE.contains(&answer.member.name.as_str()) {
            "cannot be stubbed"
        } else if answer.outcome == Outcome::Open {
            "did not end"
        } else {
            return Ok(());
        };
        Err(Inexpressible(format!("{name} {why}")))
    }

    fn role(&self, id: ObjectId) -> Option<&'a Role> {
        self.request.level.objects.get(&id).map(|o| &o.role)
    }

    /// Stand-ins that are passed in, asked, or handed out by others.
    fn mocks(&self) -> BTreeSet<ObjectId> {
        let mut mocks = self.plan.mocks(self.request.level);
        for answer in self.request.answers {
            mocks.extend(object(&answer.receiver));
            if let Outcome::Return(Some(value)) = &answer.outcome {
                let made = object(value)
                    .filter(|&id| matches!(self.role(id), Some(Role::Mock | Role::Hidden)));
                mocks.extend(made);
            }
        }
        mocks
    }

    /// `Type name = mock(Type.class);` The type is the one it is used as, if that is a single one, else its own class.
    fn mock(&mut self, id: ObjectId) -> Result<(), Inexpressible> {
        let info = self.request.level.objects.get(&id);
        let info: &ObjectInfo =
            info.ok_or_else(|| Inexpressible(format!("nothing is known of object {id}")))?;
        let mut used_as = self
            .plan
            .usage(id)
            .map(|u| u.passed_as.clone())
            .unwrap_or_default();
        for answer in self.request.answers {
            if object(&answer.receiver) == Some(id) {
                used_as.insert(desc_of(&answer.member.owner));
            }
            if matches!(&answer.outcome, Outcome::Return(Some(v)) if object(v) == Some(id)) {
                used_as.extend(result(&answer.member.desc));
            }
        }
        let own = desc_of(&info.class);
        let single = if used_as.len() == 1 {
            used_as.into_iter().next()
        } else {
            None
        };
        let ty = single
            .into_iter()
            .chain([own.clone()])
            .find(|t| self.mockable(t));
        let ty = ty.ok_or_else(|| {
            Inexpressible(format!("{} cannot be mocked", info.class.replace('/', ".")))
        })?;
        let class = self.imports.descriptor(&ty);
        let mock = self.imports.member(MOCKITO, "mock");
        let exact = ty == own;
        self.declare(
            Some(id),
            &class,
            Expr {
                text: format!("{mock}({class}.class)"),
                ty,
                exact,
                inferred: false,
            },
        );
        Ok(())
    }

    /// The stubs, in the order in which they were first asked.
    fn group(&mut self) -> Result<Vec<Stub<'a>>, Inexpressible> {
        let answers = self.request.answers;
        type Method<'m> = (&'m Value, &'m MemberRef);
        let key = |o: &'a Outgoing| -> Method<'a> { (&o.receiver, &o.member) };
        let mut stubs: Vec<Stub<'a>> = Vec::new();
        let mut by_call: BTreeMap<String, usize> = BTreeMap::new();
        for answer in answers {
            let alike = answers.iter().filter(|o| key(o) == key(answer));
            let mut written = Ok(());
            for other in alike {
                // Arguments that only the observed code can name cannot be written: then the method is stubbed for all.
                written = written.and_then(|()| self.attempt(|w| w.known_args(other)));
            }
            let (receiver, through) = self.receiver(&answer.member, &answer.receiver)?;
            let args = match written {
                Ok(()) => self.args(&through, &answer.args)?,
                Err(_) => self.matchers(&through),
            };
            let call = format!("{receiver}\u{0}{}({})", through.name, args.join(", "));
            let at = *by_call.entry(call.clone()).or_insert(stubs.len());
            if at == stubs.len() {
                stubs.push(Stub {
                    call,
                    void: result(&through.desc).is_none(),
                    answers: Vec::new(),
                });
            }
            stubs[at].answers.push(answer);
        }
        stubs.retain(|s| {
            !s.void
                || s.answers
                    .iter()
                    .any(|a| matches!(a.outcome, Outcome::Throw(_)))
        });
        Ok(stubs)
    }

    fn known_args(&mut self, answer: &Outgoing) -> Result<(), Inexpressible> {
        for (value, desc) in answer.args.iter().zip(params(&answer.member.desc)) {
            self.value(value, &desc)?;
        }
        Ok(())
    }

    fn matchers(&mut self, member: &MemberRef) -> Vec<String> {
        let overloaded = !self.scope.overloads(member).is_empty();
        let mut texts = Vec::new();
        for desc in params(&member.desc) {
            let name = match desc.as_str() {
                "Z" => "anyBoolean",
                "B" => "anyByte",
                "C" => "anyChar",
                "S" => "anyShort",
                "I" => "anyInt",
                "J" => "anyLong",
                "F" => "anyFloat",
                "D" => "anyDouble",
                _ => "any",
            };
            let call = self.imports.member(MATCHERS, name) + "()";
            let cast = overloaded && name == "any";
            texts.push(if cast {
                format!("({}) {call}", self.imports.descriptor(&desc))
            } else {
                call
            });
        }
        texts
    }

    /// `when(call).thenReturn(…)`, or `doThrow(…).when(mock).call` for void methods.
    fn stub(&mut self, stub: &Stub<'a>) -> Result<String, Inexpressible> {
        let (receiver, call) = stub.call.split_once('\u{0}').unwrap_or_default();
        let mut links: Vec<(&str, Vec<String>)> = Vec::new();
        for answer in &stub.answers {
            let (link, value) = match &answer.outcome {
                Outcome::Throw(id) => {
                    let info = self.request.level.objects.get(id);
                    let info =
                        info.ok_or_else(|| Inexpressible("an unknown exception is thrown".into()))?;
                    (
                        if stub.void { "doThrow" } else { "thenThrow" },
                        self.throwable(info)?.text,
                    )
                }
                Outcome::Return(Some(value)) if !stub.void => {
                    let desc = result(&answer.member.desc).unwrap_or_default();
                    ("thenReturn", self.value(value, &desc)?.text)
                }
                _ => ("doNothing", String::new()),
            };
            match links.last_mut() {
                Some((last, values)) if *last == link && link != "doNothing" => values.push(value),
                _ => links.push((link, vec![value])),
            }
        }
        let chain = |links: &[(&str, Vec<String>)]| {
            links
                .iter()
                .map(|(l, v)| format!("{l}({})", v.join(", ")))
                .collect::<Vec<_>>()
                .join(".")
        };
        if stub.void {
            self.imports.member(MOCKITO, links[0].0);
            Ok(format!("{}.when({receiver}).{call};", chain(&links)))
        } else {
            let when = self.imports.member(MOCKITO, "when");
            Ok(format!("{when}({receiver}.{call}).{};", chain(&links)))
        }
    }
}
