//! Walks the plan of a test and writes its statements.

use std::collections::{BTreeSet, HashMap, HashSet};

use jinsi_trace::model::{Content, ObjectId, Prim, Value};

use super::access::{Scope, Throws};
use super::chance::Asked;
use super::java::{JavaExpr, JavaStmt, JavaType, LambdaBody, Local, Node, Variable};
use super::names::Variables;
use super::plan::{Plan, PlannedStep, object};
use super::{Form, Framework, Inexpressible, Request};
use jinsi_level::{Effect, Interaction, NodeNo, Outcome, Outgoing, Role};
use jinsi_oracle::Oracle;

/// An expression for something that was recorded.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    /// The expression; its type is an erasure.
    pub(super) code: JavaExpr,
    /// It was made for the object's own class, so that it can be passed wherever the recorded run passed the object.
    pub(super) exact: bool,
    /// The call of a generic method whose result takes the type it is assigned to.
    pub(super) inferred: bool,
}

impl From<JavaExpr> for Expr {
    fn from(code: JavaExpr) -> Self {
        Self {
            code,
            exact: true,
            inferred: false,
        }
    }
}

impl Expr {
    /// Its static type.
    pub(super) fn ty(&self) -> &JavaType {
        &self.code.ty
    }
}

/// Which of the possible tests is written.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) form: Form,
    /// Containers without type arguments.
    pub(super) raw: bool,
    /// Functions for interfaces without type arguments.
    pub(super) raw_functions: bool,
    /// A wrong value is asserted as the recorded test did it.
    pub(super) demands: bool,
    /// Replay form: the recorded classes run, not those of today.
    pub(super) recorded: bool,
    /// Assertions are AssertJ's.
    pub(super) assertj: bool,
}

/// State of one source file in the making.
pub(super) struct Writer<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) form: Form,
    /// Containers without type arguments.
    pub(super) raw: bool,
    /// Functions for interfaces without type arguments.
    pub(super) raw_functions: bool,
    /// A wrong value is asserted as the recorded test did it.
    pub(super) demands: bool,
    /// Replay form: the recorded classes run, not those of today.
    pub(super) recorded: bool,
    /// Assertions are AssertJ's.
    pub(super) assertj: bool,
    /// What runs it.
    pub(super) framework: Framework,
    /// The line from which on what is expected may be thrown, once it is written.
    pub(super) thrown_from: Option<usize>,
    pub(super) scope: Scope<'a>,
    pub(super) plan: Plan<'a>,
    pub(super) variables: Variables,
    /// What the calls gave that stay beside the last one, as variables.
    pub(super) results: HashMap<NodeNo, JavaExpr>,
    /// The interaction that is being written.
    pub(super) current: Option<&'a Interaction>,
    /// Objects that have a variable.
    pub(super) bound: HashMap<ObjectId, Expr>,
    /// Contents of objects that are not written yet, as changed since they were first seen.
    pub(super) contents: HashMap<ObjectId, Content>,
    /// Objects being written: a container may hold itself.
    pub(super) open: HashSet<ObjectId>,
    /// Objects that the script hands out as well, so that they must come from it.
    pub(super) scripted: HashSet<ObjectId>,
    /// Replay form: objects that the script names in any way; those that the test makes itself must be reported to it.
    pub(super) named: HashSet<ObjectId>,
    pub(super) lines: Vec<JavaStmt>,
    /// The line from which on static methods are replaced, and by what.
    pub(super) statics: Option<(usize, Vec<Local>)>,
    /// What the calls may throw that has to be declared.
    pub(super) throws: Throws,
    /// How to declare a variable of the function that was written last, in place of an object of an anonymous class.
    pub(super) made_function: Option<JavaType>,
    /// A container was written without type arguments.
    pub(super) untyped: bool,
    /// Internal names of the run-time classes of the objects that something stands in for.
    pub(super) stands_in_for: BTreeSet<String>,
    /// What the statements ask for that is another thing in each run.
    pub(super) asked: Asked,
    /// Index of the current step.
    pub(super) step: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(request: &'a Request<'a>, style: Style, package: &str) -> Self {
        let Style {
            form,
            raw,
            raw_functions,
            demands,
            recorded,
            assertj,
        } = style;
        let framework = match form {
            Form::Replay => request.dialect.framework.of_extension(),
            Form::Plain | Form::Mockito => request.dialect.framework,
        };
        let scripted = if form == Form::Replay {
            scripted(request)
        } else {
            HashSet::new()
        };
        Self {
            request,
            form,
            raw,
            raw_functions,
            demands,
            recorded,
            assertj,
            framework,
            thrown_from: None,
            scope: Scope {
                classes: request.classes,
                package: package.to_owned(),
            },
            plan: Plan::new(request.level, request.kept),
            variables: Variables::default(),
            results: HashMap::new(),
            current: None,
            bound: HashMap::new(),
            contents: HashMap::new(),
            open: HashSet::new(),
            scripted,
            named: if form == Form::Replay {
                named(request)
            } else {
                HashSet::new()
            },
            lines: Vec::new(),
            statics: None,
            throws: Throws::Nothing,
            made_function: None,
            untyped: false,
            stands_in_for: BTreeSet::new(),
            asked: Asked::default(),
            step: 0,
        }
    }

    /// Writes all statements.
    pub(super) fn write(mut self) -> Result<Self, Inexpressible> {
        match self.form {
            Form::Plain if !self.request.answers.is_empty() && !self.request.real_environment => {
                let n = self.request.answers.len();
                return Err(Inexpressible(format!(
                    "{n} answers of the environment are used"
                )));
            }
            Form::Mockito => self.stubs()?,
            _ => {}
        }
        let steps = self.plan.steps.clone();
        for (at, step) in steps.iter().enumerate() {
            self.step = at;
            match step {
                PlannedStep::Change(effect) => self.change(effect)?,
                PlannedStep::Interact(interaction) => {
                    self.current = Some(interaction);
                    self.interact(interaction, at + 1 == steps.len())?
                }
            }
        }
        match self.request.oracle {
            Oracle::State(wrong) => self.assert_state(wrong)?,
            Oracle::Output(wrong) => self.assert_not_written(wrong)?,
            Oracle::Predicate(wrong) => self.assert_none(&wrong.predicate)?,
            _ => {}
        }
        Ok(self)
    }

    fn interact(&mut self, i: &Interaction, last: bool) -> Result<(), Inexpressible> {
        let since = self.wanted().and_then(|wanted| wanted.since);
        if self.thrown_from.is_none() && since.is_some_and(|since| i.node >= since) {
            self.thrown_from = Some(self.lines.len());
        }
        let result = match &i.outcome {
            Outcome::Return(Some(value)) => object(value),
            _ => None,
        };
        let call = self.access(i.op, &i.member, &i.target_class, &i.receiver, &i.args)?;
        if i.is_first_use() {
            self.throws = self.throws.max(Throws::Exception);
        }
        match (last, self.request.oracle) {
            (true, Oracle::Value(wrong)) => return self.assert_not(call, wrong),
            (true, Oracle::Endless { .. }) => return self.assert_end(call),
            (true, Oracle::Exception) if let Some(wanted) = self.request.wanted => {
                return self.assert_thrown(call, wanted);
            }
            (true, Oracle::Exit { status, .. }) => return self.assert_status(call, *status),
            _ => {}
        }
        if self.stays_beside(i) {
            self.keep_result(i, call);
            return Ok(());
        }
        let looks_behind = matches!(
            self.request.oracle,
            Oracle::State(_) | Oracle::Output(_) | Oracle::Predicate(_)
        );
        let goes_on = !last || looks_behind;
        match (&i.outcome, goes_on) {
            // It may have ended the program.
            (Outcome::Open, true) if last => {
                let status = self.status_of(call)?;
                self.code(status);
            }
            (Outcome::Throw(id), true) if self.is_needed(*id) => self.caught(*id, call)?,
            (Outcome::Throw(id), true) => {
                let exception = JavaType::class(&self.catchable(*id));
                let variable = self.variables.of(&JavaType::class("java/lang/Exception"));
                let remark = "The recorded program went on after this exception.";
                let handler = vec![JavaStmt::Comment(remark.into())];
                self.lines.push(JavaStmt::Try {
                    resources: Vec::new(),
                    body: vec![JavaStmt::Expression(call.code)],
                    catch: Some((exception, variable, handler)),
                });
            }
            _ => self.finish(call, result, i.op),
        }
        Ok(())
    }

    fn change(&mut self, effect: &Effect) -> Result<(), Inexpressible> {
        match effect {
            Effect::Content { id, content } => match self.bound.get(id).cloned() {
                None => {
                    self.contents.insert(*id, content.clone());
                    Ok(())
                }
                Some(variable) => self.refill(&variable, content),
            },
            Effect::Store {
                array,
                index,
                value,
            } => match self.bound.get(array).cloned() {
                None => self.store(*array, *index, value),
                Some(variable) => {
                    let place = at(variable.code, *index);
                    let value = self.value(value, &place.ty)?;
                    self.code(place.assign(value.code));
                    Ok(())
                }
            },
            Effect::Natural {
                op,
                member,
                receiver,
                args,
                result,
            } => {
                let call = self.access(*op, member, &member.owner, receiver, args)?;
                let made = if *op == jinsi_level::Operation::Construct {
                    object(receiver)
                } else {
                    None
                };
                self.finish(call, made.or_else(|| result.as_ref().and_then(object)), *op);
                Ok(())
            }
        }
    }

    /// A store into an array that is not written yet changes the content it will be written with.
    fn store(&mut self, array: ObjectId, index: u32, value: &Value) -> Result<(), Inexpressible> {
        let Some(info) = self.request.level.objects.get(&array) else {
            return Ok(());
        };
        let content = self
            .contents
            .entry(array)
            .or_insert_with(|| match &info.role {
                Role::Array {
                    initial: Some(content),
                } => content.clone(),
                _ => Content::Array(vec![zero(&info.class); info.length.unwrap_or(0) as usize]),
            });
        match content {
            Content::Array(values) if (index as usize) < values.len() => {
                values[index as usize] = value.clone()
            }
            _ => {
                return Err(Inexpressible(
                    "an array's recorded content is incomplete".into(),
                ));
            }
        }
        Ok(())
    }

    pub(super) fn code(&mut self, code: JavaExpr) {
        self.lines.push(JavaStmt::Expression(code));
    }

    /// `Type name = init;`, and the object is the variable from now on.
    pub(super) fn declare(&mut self, id: Option<ObjectId>, declared: JavaType, init: Expr) -> Expr {
        let ty = init.ty().clone();
        self.declare_as(id, Some(declared), ty, init, false)
    }

    /// The same, of the type `var` if none is declared; `ty` is its erasure. `movable`: the type says nothing that the expression does not.
    pub(super) fn declare_as(
        &mut self,
        id: Option<ObjectId>,
        declared: Option<JavaType>,
        ty: JavaType,
        init: Expr,
        movable: bool,
    ) -> Expr {
        let variable = self.variables.of(&ty);
        self.declare_variable(variable, id, declared, ty, init, movable)
    }

    /// The same with this variable.
    pub(super) fn declare_variable(
        &mut self,
        variable: Variable,
        id: Option<ObjectId>,
        declared: Option<JavaType>,
        ty: JavaType,
        init: Expr,
        movable: bool,
    ) -> Expr {
        let code = JavaExpr::name(variable.clone(), ty);
        self.lines.push(JavaStmt::Local(Local {
            is_final: false,
            ty: declared,
            variable,
            init: init.code,
            movable,
        }));
        let variable = Expr {
            code,
            inferred: false,
            exact: init.exact,
        };
        if let Some(id) = id {
            self.bound.insert(id, variable.clone());
        }
        variable
    }

    /// A recorded value where a value of this type is expected.
    pub(super) fn value(&mut self, value: &Value, ty: &JavaType) -> Result<Expr, Inexpressible> {
        Ok(match value {
            Value::Prim(v) | Value::Boxed(v) => JavaExpr::literal(*v).into(),
            Value::Null => JavaExpr::null().into(),
            Value::Str(text) => JavaExpr::string(text.clone()).into(),
            Value::Class(no) => {
                let name = self.request.classes.class_name(*no);
                let name = name.map(str::to_owned);
                let unknown = || Inexpressible("a class object of unknown name is used".into());
                self.class_object(&name.ok_or_else(unknown)?)
            }
            Value::Object(id) => self.object(*id, ty)?,
        })
    }

    /// `Type.class`, if the test can name it. `name`: as class objects have it, with slashes.
    pub(super) fn class_object(&mut self, name: &str) -> Expr {
        let ty = JavaType::of_class_object(name);
        if self.scope.type_accessible(&ty) {
            return JavaExpr::class(ty).into();
        }
        self.throws = self.throws.max(Throws::Exception);
        let class = JavaType::class("java/lang/Class");
        let name = JavaExpr::text(&name.replace('/', "."));
        let found = JavaExpr::factory(class.clone(), "forName", vec![name]);
        // Its type argument is not known, and may be asked for.
        self.untyped |= self.raw;
        match self.raw {
            true => found.cast(class).into(),
            false => found.into(),
        }
    }

    /// `E exception = assertThrows(E.class, () -> call);`
    fn caught(&mut self, id: ObjectId, call: Expr) -> Result<(), Inexpressible> {
        let class = self.catchable(id);
        let own = self.request.level.objects.get(&id).map(|o| &o.class);
        let exact = own == Some(&class);
        let code = self.throwing(call.into(), JavaType::class(&class))?;
        let declared = code.ty.clone();
        let thrown = Expr {
            code,
            exact,
            inferred: false,
        };
        self.declare(Some(id), declared, thrown);
        Ok(())
    }

    /// The same for an exception that does not come in the recorded run. Gives the variable.
    pub(super) fn thrown_by(
        &mut self,
        call: LambdaBody,
        class: JavaType,
    ) -> Result<Expr, Inexpressible> {
        let thrown = self.throwing(call, class.clone())?;
        Ok(self.declare(None, class, thrown.into()))
    }

    /// The assertion that gives the exception.
    fn throwing(&mut self, call: LambdaBody, class: JavaType) -> Result<JavaExpr, Inexpressible> {
        let Some((assertions, gives)) = self.framework.gives_exception() else {
            return Err(Inexpressible(
                "JUnit 3 has no assertion that gives an exception".into(),
            ));
        };
        let args = vec![JavaExpr::class(class.clone()), run(call)];
        let assertions = JavaType::class(assertions);
        Ok(JavaExpr::call(assertions, gives, args, class))
    }

    /// The class to catch a recorded throwable by: the nearest of its classes that the test can name.
    fn catchable(&self, id: ObjectId) -> String {
        let throwable = "java/lang/Throwable";
        let own = self.request.level.objects.get(&id);
        let class = own.map_or(throwable, |o| o.class.as_str());
        let view = self.scope.view(class, &[]);
        view.unwrap_or_else(|| throwable.into())
    }

    /// Runs `write`; if that fails, nothing of what it wrote remains.
    pub(super) fn attempt<T>(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<T, Inexpressible>,
    ) -> Result<T, Inexpressible> {
        let lines = self.lines.len();
        let before = (self.variables.clone(), self.bound.clone());
        let result = write(self);
        if result.is_err() {
            self.lines.truncate(lines);
            (self.variables, self.bound) = before;
        }
        result
    }

    /// Types the stand-in `id` may be declared with: first the type it is passed as, if there is one only, then its own class.
    pub(super) fn stand_in_types(&self, id: ObjectId) -> Vec<JavaType> {
        let passed_as = self.plan.usage(id).map(|u| &u.passed_as);
        let one = passed_as.filter(|all| all.len() == 1);
        let one = one.and_then(|all| all.first().cloned());
        let own = self.request.level.objects.get(&id);
        let own = own.map(|o| JavaType::class(&o.class));
        let types = one
            .into_iter()
            .chain(own)
            .filter(|ty| ty.is_reference() && self.scope.type_accessible(ty));
        types.collect()
    }
}

/// `() -> body`, of no type in particular.
pub(super) fn run(body: LambdaBody) -> JavaExpr {
    JavaExpr::new(JavaType::object(), Node::Lambda(Vec::new(), body))
}

impl From<Expr> for LambdaBody {
    fn from(value: Expr) -> Self {
        Self::Value(Box::new(value.code))
    }
}

/// `array[index]`
pub(super) fn at(array: JavaExpr, index: impl TryInto<i32>) -> JavaExpr {
    array.element(JavaExpr::int(index.try_into().unwrap_or(i32::MAX)))
}

/// Objects that answers hand out or change: the test must use the same ones.
fn scripted(request: &Request) -> HashSet<ObjectId> {
    let mut ids = HashSet::new();
    for answer in request.answers {
        if let Outcome::Return(Some(value)) = &answer.outcome {
            ids.extend(object(value));
        }
        for effect in &answer.effects {
            match effect {
                Effect::Content { id, .. } => ids.extend([*id]),
                Effect::Store { array, .. } => ids.extend([*array]),
                Effect::Natural { receiver, .. } => ids.extend(object(receiver)),
            }
        }
    }
    ids
}

/// Objects that answers name: their results, what they change, whom they call back with what, and what all these hold.
fn named(request: &Request) -> HashSet<ObjectId> {
    let mut todo: Vec<ObjectId> = Vec::new();
    request.answers.iter().for_each(|o| in_answer(o, &mut todo));
    let mut ids = HashSet::new();
    while let Some(id) = todo.pop() {
        let role = request.level.objects.get(&id).map(|o| &o.role);
        if ids.insert(id)
            && let Some(
                Role::Array {
                    initial: Some(content),
                }
                | Role::Natural {
                    initial: Some(content),
                }
                | Role::Restored {
                    initial: Some(content),
                },
            ) = role
        {
            todo.extend(content.values().iter().filter_map(object));
        }
    }
    ids
}

fn in_answer(answer: &Outgoing, ids: &mut Vec<ObjectId>) {
    if let Outcome::Return(Some(value)) = &answer.outcome {
        ids.extend(object(value));
    }
    answer.effects.iter().for_each(|e| in_effect(e, ids));
    for callback in &answer.callbacks {
        let values = callback.args.iter().chain([&callback.receiver]);
        ids.extend(values.filter_map(object));
        callback.before.iter().for_each(|e| in_effect(e, ids));
        callback.outgoing.iter().for_each(|o| in_answer(o, ids));
    }
}

fn in_effect(effect: &Effect, ids: &mut Vec<ObjectId>) {
    match effect {
        Effect::Content { id, content } => {
            ids.push(*id);
            ids.extend(content.values().iter().filter_map(object));
        }
        Effect::Store { array, value, .. } => {
            ids.push(*array);
            ids.extend(object(value));
        }
        Effect::Natural { receiver, args, .. } => {
            ids.extend(args.iter().chain([receiver]).filter_map(object));
        }
    }
}

/// The value array elements begin with.
fn zero(array_class: &str) -> Value {
    let letter = array_class.chars().nth(1).unwrap_or('L');
    Prim::from_word(letter, 0).map_or(Value::Null, Value::Prim)
}
