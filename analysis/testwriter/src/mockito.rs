//! Stand-ins for the environment made by Mockito: possible if all it was asked were methods of objects that came from it, and
//! static methods of classes that are neither observed nor the JDK's.
//!
//! Stubs are lenient: strict ones would make the test fail as soon as a repaired program no longer asks one of the questions.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_trace::model::{Content, MemberRef, ObjectId, Value};

use super::Inexpressible;
use super::access::{params, result};
use super::containers::is_container;
use super::content::copied;
use super::java::{
    JavaExpr, JavaStmt, JavaType, LambdaBody, Local, Node, Parameter, Primitive, Target, Variable,
};
use super::plan::object;
use super::writer::{Expr, Writer, run};
use jinsi_level::{Effect, ObjectInfo, Operation, Outcome, Outgoing, Role};

const MOCKITO: &str = "org/mockito/Mockito";
const MATCHERS: &str = "org/mockito/ArgumentMatchers";

/// What an answer that fills arrays is given, and its own interface.
const INVOCATION: &str = "org/mockito/invocation/InvocationOnMock";
const ANSWER: &str = "org/mockito/stubbing/Answer";
/// The method that says of a call without result that it does nothing.
const NOTHING: &str = "doNothing";

/// Methods that Mockito does not stub.
const UNSTUBBABLE: [&str; 4] = ["equals", "hashCode", "getClass", "finalize"];

/// Classes whose static methods belong to the JVM: replacing them would replace them for the test's own machinery, too.
const JDK: [&str; 2] = ["java/", "javax/"];

/// The answers to one method of one stand-in or class, for the same arguments.
struct Stub<'a> {
    /// The object or class that is called.
    of: Target,
    /// The name of the method.
    name: String,
    args: Vec<JavaExpr>,
    /// What the method gives.
    ty: JavaType,
    /// The variable that stands for the static methods of a class.
    statics: Option<Variable>,
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
        let classes = self.static_classes()?;
        if mocks.is_empty() && classes.is_empty() {
            return Err(Inexpressible("there is nothing to stand in for".into()));
        }
        for &id in &mocks {
            self.mock(id)?;
        }
        let names = classes
            .into_iter()
            .map(|class| (class, self.variables.named("statics")));
        let names: BTreeMap<String, Variable> = names.collect();
        let (of_classes, of_objects): (Vec<_>, Vec<_>) = self
            .group(&names)?
            .into_iter()
            .partition(|s| s.statics.is_some());
        for stub in of_objects {
            let code = self.stub(stub)?;
            self.code(code);
        }
        if !names.is_empty() {
            self.open_statics(names);
        }
        for stub in of_classes {
            let code = self.stub(stub)?;
            self.code(code);
        }
        self.lines.push(JavaStmt::Blank);
        Ok(())
    }

    /// The classes whose static methods were asked.
    fn static_classes(&self) -> Result<BTreeSet<String>, Inexpressible> {
        let asked = self.request.answers.iter();
        asked
            .filter(|a| a.op == Operation::CallStatic)
            .map(|a| self.through(&a.member, &a.target_class))
            .collect()
    }

    /// `try (MockedStatic<?> statics = mockStatic(Type.class)) {`, which ends with the test.
    fn open_statics(&mut self, names: BTreeMap<String, Variable>) {
        let ty = JavaType::class("org/mockito/MockedStatic");
        let resources = names.into_iter().map(|(class, variable)| {
            let class = vec![JavaExpr::class(JavaType::class(&class))];
            Local {
                is_final: false,
                ty: Some(ty.clone().with(vec![JavaType::Wildcard])),
                variable,
                init: of_mockito("mockStatic", class, ty.clone()),
                movable: false,
            }
        });
        let resources = resources.collect();
        self.lines.push(JavaStmt::Blank);
        self.statics = Some((self.lines.len(), resources));
    }

    fn stubbable(&self, answer: &Outgoing) -> Result<(), Inexpressible> {
        let name = format!(
            "{}.{}",
            answer.member.owner.replace('/', "."),
            answer.member.name
        );
        let of_class = answer.op == Operation::CallStatic;
        let why = if answer.op != Operation::Call && !of_class {
            "is no method"
        } else if is_container(&answer.member.owner) {
            "is answered by a container, which is not stood in for"
        } else if of_class && JDK.iter().any(|p| answer.member.owner.starts_with(p)) {
            "is a static method of the JDK"
        } else if of_class
            && self
                .request
                .level
                .observed
                .contains(answer.member.owner.as_str())
        {
            // All static methods of a class are replaced together, those that the test is about included.
            "is a static method of an observed class"
        } else if !of_class
            && object(&answer.receiver)
                .and_then(|id| self.role(id))
                .is_none_or(|r| !matches!(r, Role::Mock | Role::Hidden))
        {
            "is called on an object that is made for real"
        } else if !answer.callbacks.is_empty() || !only_fills(answer) {
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
                self.stand_ins(value, &mut mocks);
            }
        }
        mocks
    }

    /// Adds the stand-ins that the value is, or holds.
    fn stand_ins(&self, value: &Value, mocks: &mut BTreeSet<ObjectId>) {
        let mut open: Vec<ObjectId> = object(value).into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.role(id) {
                Some(Role::Mock | Role::Hidden) => drop(mocks.insert(id)),
                Some(
                    Role::Natural {
                        initial: Some(content),
                    }
                    | Role::Array {
                        initial: Some(content),
                    },
                ) => open.extend(content.values().iter().filter_map(object)),
                _ => {}
            }
        }
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
                used_as.insert(JavaType::class(&answer.member.owner));
            }
            if matches!(&answer.outcome, Outcome::Return(Some(v)) if object(v) == Some(id)) {
                used_as.extend(result(&answer.member.desc));
            }
        }
        self.stands_in_for.insert(info.class.clone());
        let own = JavaType::class(&info.class);
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
        if ty.class_name().is_some_and(is_container) {
            let why = format!("{} is not stood in for", info.class.replace('/', "."));
            return Err(Inexpressible(why));
        }
        let class = vec![JavaExpr::class(ty.clone())];
        let made = Expr {
            exact: ty == own,
            code: of_mockito("mock", class, ty.clone()),
            inferred: false,
        };
        self.declare(Some(id), ty, made);
        Ok(())
    }

    /// The stubs, in the order in which they were first asked.
    /// `statics`: the variables that stand for the static methods of classes.
    fn group(
        &mut self,
        statics: &BTreeMap<String, Variable>,
    ) -> Result<Vec<Stub<'a>>, Inexpressible> {
        let answers = self.request.answers;
        type Method<'m> = (&'m Value, &'m MemberRef);
        let key = |o: &'a Outgoing| -> Method<'a> { (&o.receiver, &o.member) };
        let mut stubs: Vec<Stub<'a>> = Vec::new();
        for answer in answers {
            let alike = answers.iter().filter(|o| key(o) == key(answer));
            let mut written = Ok(());
            for other in alike {
                // Arguments that only the observed code can name cannot be written: then the method is stubbed for all.
                written = written.and_then(|()| self.attempt(|w| w.known_args(other)));
            }
            let of_class = answer.op == Operation::CallStatic;
            let (of, through) = if of_class {
                let owner = self.through(&answer.member, &answer.target_class)?;
                let class = JavaType::class(&owner);
                let member = MemberRef {
                    owner: owner.into(),
                    ..answer.member.clone()
                };
                (Target::Static(class), member)
            } else {
                let (receiver, through) = self.receiver(&answer.member, &answer.receiver)?;
                (receiver.into(), through)
            };
            let fills = answers
                .iter()
                .any(|o| key(o) == key(answer) && !o.effects.is_empty());
            let args = match written {
                Ok(()) if !fills => self.args(&through, &answer.args)?,
                _ => self.matchers(&through),
            };
            let is_same = |s: &Stub<'_>| s.of == of && through.name == *s.name && s.args == args;
            match stubs.iter_mut().find(|s| is_same(s)) {
                Some(stub) => stub.answers.push(answer),
                None => stubs.push(Stub {
                    of,
                    name: through.name.to_string(),
                    args,
                    ty: result(&through.desc).unwrap_or(JavaType::Void),
                    statics: statics
                        .get(through.owner.as_str())
                        .filter(|_| of_class)
                        .cloned(),
                    answers: vec![answer],
                }),
            }
        }
        stubs.retain(|s| {
            let does =
                |a: &&Outgoing| matches!(a.outcome, Outcome::Throw(_)) || !a.effects.is_empty();
            !s.is_void() || s.answers.iter().any(does)
        });
        Ok(stubs)
    }

    /// `call -> { System.arraycopy(…, 0, call.getArgument(0), 0, 3); return 3; }`
    fn filling(
        &mut self,
        answer: &Outgoing,
        result_value: Option<&Value>,
    ) -> Result<JavaExpr, Inexpressible> {
        let unknown = || Inexpressible("an array that is filled is not known".into());
        let call = self.variables.named("call");
        let of_call = JavaExpr::name(call.clone(), JavaType::class(INVOCATION));
        let mut body = Vec::new();
        for effect in &answer.effects {
            let (Effect::Content { id: array, .. } | Effect::Store { array, .. }) = effect else {
                return Err(unknown());
            };
            let at = |value: &Value| object(value) == Some(*array);
            let place = answer.args.iter().position(at).ok_or_else(unknown)?;
            let info = self.request.level.objects.get(array).ok_or_else(unknown)?;
            let (values, from) = match effect {
                Effect::Content {
                    content: Content::Array(values),
                    ..
                } => (values.clone(), 0),
                Effect::Store { index, value, .. } => (vec![value.clone()], *index),
                _ => return Err(unknown()),
            };
            // What comes behind is as it was made.
            let zero = |v: &Value| match v {
                Value::Prim(p) => p.to_word() == 0,
                v => *v == Value::Null,
            };
            let filled = values.iter().rposition(|v| !zero(v)).map_or(1, |at| at + 1);
            let values = values.get(..filled).unwrap_or_default().to_vec();
            let count = values.len();
            let (new, _) = self.array(info, Some(&Content::Array(values)))?;
            let place = vec![JavaExpr::int(i32::try_from(place).unwrap_or(i32::MAX))];
            let filled = JavaExpr::call(of_call.clone(), "getArgument", place, JavaType::object());
            body.push(JavaStmt::Expression(copied(new.code, filled, from, count)));
        }
        let value = match (result_value, result(&answer.member.desc)) {
            (Some(value), Some(ty)) => self.value(value, &ty)?.code,
            _ => JavaExpr::null(),
        };
        body.push(JavaStmt::Return(value));
        let parameter = Parameter {
            variable: call,
            ty: None,
        };
        let lambda = Node::Lambda(vec![parameter], LambdaBody::Block(body));
        Ok(JavaExpr::new(JavaType::class(ANSWER), lambda))
    }

    fn known_args(&mut self, answer: &Outgoing) -> Result<(), Inexpressible> {
        for (value, desc) in answer.args.iter().zip(params(&answer.member.desc)) {
            self.value(value, &desc)?;
        }
        Ok(())
    }

    fn matchers(&mut self, member: &MemberRef) -> Vec<JavaExpr> {
        let overloaded = !self.scope.overloads(member).is_empty();
        let matchers = params(&member.desc).into_iter().map(|ty| {
            let name = match ty.primitive() {
                Some(Primitive::Boolean) => "anyBoolean",
                Some(Primitive::Byte) => "anyByte",
                Some(Primitive::Char) => "anyChar",
                Some(Primitive::Short) => "anyShort",
                Some(Primitive::Int) => "anyInt",
                Some(Primitive::Long) => "anyLong",
                Some(Primitive::Float) => "anyFloat",
                Some(Primitive::Double) => "anyDouble",
                None => "any",
            };
            let cast = overloaded && ty.is_reference();
            let any = Target::Imported(MATCHERS);
            let any = JavaExpr::call(any, name, Vec::new(), ty.clone());
            if cast { any.cast(ty) } else { any }
        });
        matchers.collect()
    }

    /// `when(call).thenReturn(…)`, or `doThrow(…).when(mock).call` for void methods.
    fn stub(&mut self, stub: Stub<'a>) -> Result<JavaExpr, Inexpressible> {
        let mut links: Vec<(&str, Vec<JavaExpr>)> = Vec::new();
        for answer in &stub.answers {
            let (link, value) = self.link(&stub, answer)?;
            match links.last_mut() {
                Some((last, values)) if *last == link && link != NOTHING => values.extend(value),
                _ => links.push((link, value.into_iter().collect())),
            }
        }
        // Mockito goes on with the last answer.
        let again = repeated(&stub.answers);
        if let Some((_, values)) = links.last_mut() {
            values.truncate(values.len().saturating_sub(again).max(1));
        }
        let is_void = stub.is_void();
        let Stub {
            of,
            name,
            args,
            ty,
            statics,
            ..
        } = stub;
        let call = |of: Target| JavaExpr::call(of, &name, args, ty);
        let mut links = links.into_iter();
        let mut chain = match (statics, of) {
            (Some(statics), of) => {
                let statics = JavaExpr::name(statics, JavaType::object());
                let call = run(LambdaBody::Value(Box::new(call(of))));
                JavaExpr::call(statics, "when", vec![call], JavaType::object())
            }
            (None, Target::Of(mock)) if is_void => {
                let (first, values) = links.next().unwrap_or((NOTHING, Vec::new()));
                let mut chain = of_mockito(first, values, JavaType::object());
                for (link, values) in links {
                    chain = JavaExpr::call(chain, link, values, JavaType::object());
                }
                let ty = mock.ty.clone();
                return Ok(call(JavaExpr::call(chain, "when", vec![*mock], ty).into()));
            }
            (None, of) => of_mockito("when", vec![call(of)], JavaType::object()),
        };
        for (link, values) in links {
            chain = JavaExpr::call(chain, link, values, JavaType::object());
        }
        Ok(chain)
    }

    /// What Mockito is informed of one answer: the method, and what that is given.
    fn link(
        &mut self,
        stub: &Stub<'a>,
        answer: &Outgoing,
    ) -> Result<(&'static str, Option<JavaExpr>), Inexpressible> {
        let first = stub.is_void() && stub.statics.is_none();
        Ok(match &answer.outcome {
            Outcome::Return(value) if !answer.effects.is_empty() => {
                let link = if first { "doAnswer" } else { "thenAnswer" };
                (link, Some(self.filling(answer, value.as_ref())?))
            }
            Outcome::Return(_) if stub.is_void() && stub.statics.is_some() => {
                return Err(Inexpressible(format!(
                    "{} sometimes throws and has no result",
                    stub.name
                )));
            }
            Outcome::Throw(id) => {
                let info = self.request.level.objects.get(id);
                let info =
                    info.ok_or_else(|| Inexpressible("an unknown exception is thrown".into()))?;
                let link = if first { "doThrow" } else { "thenThrow" };
                (link, Some(self.throwable(info)?))
            }
            Outcome::Return(Some(value)) if !stub.is_void() => {
                let value = self.value(value, &stub.ty)?;
                ("thenReturn", Some(value.code))
            }
            _ => (NOTHING, None),
        })
    }
}

impl Stub<'_> {
    fn is_void(&self) -> bool {
        self.ty == JavaType::Void
    }
}

/// A static method of Mockito's.
fn of_mockito(name: &str, args: Vec<JavaExpr>, ty: JavaType) -> JavaExpr {
    JavaExpr::call(Target::Imported(MOCKITO), name, args, ty)
}

/// Does it change nothing but arrays that it is given?
fn only_fills(answer: &Outgoing) -> bool {
    answer.effects.iter().all(|effect| match effect {
        Effect::Content {
            id: array,
            content: Content::Array(_),
        }
        | Effect::Store { array, .. } => answer.args.contains(&Value::Object(*array)),
        _ => false,
    })
}

/// How many answers at the end are no other than the one before them.
fn repeated(answers: &[&Outgoing]) -> usize {
    let pairs = answers.windows(2).rev();
    let alike = |a: &Outgoing, b: &Outgoing| a.outcome == b.outcome && a.effects == b.effects;
    pairs.take_while(|p| alike(p[0], p[1])).count()
}
